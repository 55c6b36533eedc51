package interop

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// An object is an object of A2A 1.0, written from the decoded form: Parley's encoder would
// return an object of 1.0 unchanged.
type object map[string]any

func each[T any](all []T, shape func(*T) object) []object {
	list := []object{}
	for i := range all {
		list = append(list, shape(&all[i]))
	}
	return list
}

// shapeOf is an event in the shape of its original answer.
func shapeOf(ev *a2a.Event, as string) object {
	switch {
	case ev.Kind == a2a.EventTask && as == "task":
		return taskShape(ev.Task)
	case ev.Kind == a2a.EventTask:
		return object{"task": taskShape(ev.Task)}
	case ev.Kind == a2a.EventMessage:
		return object{"message": messageShape(ev.Message)}
	case ev.Kind == a2a.EventStatus:
		return object{"statusUpdate": object{
			"taskId": ev.TaskID, "contextId": ev.ContextID, "status": statusShape(ev.Status), "metadata": ev.Metadata,
			"final": ev.Final == a2a.True,
		}}
	case ev.Kind == a2a.EventArtifact:
		return object{"artifactUpdate": object{
			"taskId": ev.TaskID, "contextId": ev.ContextID, "artifact": artifactShape(ev.Artifact), "metadata": ev.Metadata,
			"append": ev.Append, "lastChunk": ev.LastChunk,
		}}
	case ev.Kind == a2a.EventTaskList:
		return object{"tasks": each(ev.Tasks, taskShape), "nextPageToken": ev.NextPageToken}
	case ev.Kind == a2a.EventPushConfig && as == "push" && len(ev.PushConfigs) == 1:
		return pushShape(&ev.PushConfigs[0])
	case ev.Kind == a2a.EventPushConfig:
		return object{"configs": each(ev.PushConfigs, pushShape), "nextPageToken": ev.NextPageToken}
	case ev.Kind == a2a.EventCard:
		return cardShape(ev.Card)
	default:
		return object{"kind": ev.Kind.String()}
	}
}

func messageShape(m *a2a.Message) object {
	if m == nil {
		return nil
	}
	return object{
		"messageId": m.ID, "contextId": m.ContextID, "taskId": m.TaskID, "role": "ROLE_" + strings.ToUpper(m.Role.String()),
		"parts": each(m.Parts, partShape), "metadata": m.Metadata, "extensions": m.Extensions, "referenceTaskIds": m.ReferenceTaskIDs,
	}
}

func partShape(p *a2a.Part) object {
	o := object{"filename": p.Filename, "mediaType": p.MediaType, "metadata": p.Metadata}
	switch p.Kind {
	case a2a.PartText:
		o["text"] = p.Text
	case a2a.PartBytes:
		content, err := p.Bytes()
		if err != nil {
			return object{"error": err.Error()}
		}
		o["raw"] = base64.StdEncoding.EncodeToString(content)
	case a2a.PartURL:
		o["url"] = p.URL
	case a2a.PartData:
		o["data"] = p.Data
	}
	return o
}

func statusShape(s *a2a.Status) object {
	o := object{"state": a2a.Word(s.State, a2a.V10), "message": messageShape(s.Message)}
	if !s.Time.IsZero() {
		o["timestamp"] = s.Time.Format(time.RFC3339Nano)
	}
	return o
}

func artifactShape(a *a2a.Artifact) object {
	return object{
		"artifactId": a.ID, "name": a.Name, "description": a.Description, "parts": each(a.Parts, partShape),
		"metadata": a.Metadata, "extensions": a.Extensions,
	}
}

func taskShape(t *a2a.Task) object {
	return object{
		"id": t.ID, "contextId": t.ContextID, "status": statusShape(&t.Status), "artifacts": each(t.Artifacts, artifactShape),
		"history": each(t.History, messageShape), "metadata": t.Metadata,
	}
}

func pushShape(p *a2a.PushConfig) object {
	return object{
		"taskId": p.TaskID, "id": p.ID, "url": p.URL, "token": p.Token,
		"authentication": object{"scheme": strings.Join(p.Schemes, ", "), "credentials": p.Credentials},
	}
}

func cardShape(c *a2a.Card) object {
	o := object{
		"name": c.Name, "description": c.Description, "version": c.Version, "documentationUrl": c.DocumentationURL,
		"iconUrl": c.IconURL, "defaultInputModes": c.DefaultInputModes, "defaultOutputModes": c.DefaultOutputModes,
		"capabilities": object{
			"streaming": c.Capabilities.Streaming == a2a.True, "pushNotifications": c.Capabilities.PushNotifications == a2a.True,
			"extendedAgentCard": c.Capabilities.ExtendedAgentCard == a2a.True,
			"extensions": each(c.Capabilities.Extensions, func(e *a2a.Extension) object {
				return object{"uri": e.URI, "description": e.Description, "required": e.Required, "params": e.Params}
			}),
		},
		"supportedInterfaces": each(c.Interfaces, func(i *a2a.Interface) object {
			return object{"url": i.DeclaredURL, "protocolBinding": i.BindingWord, "protocolVersion": i.Version, "tenant": i.Tenant}
		}),
		"signatures": each(c.Signatures, func(s *a2a.Signature) object {
			return object{"protected": s.Protected, "signature": s.Signature, "header": s.Header}
		}),
		"skills": each(c.Skills, skillShape), "securityRequirements": each(c.Security, requirementShape),
	}
	if c.Provider != nil {
		o["provider"] = object{"organization": c.Provider.Organization, "url": c.Provider.URL}
	}
	schemes := object{}
	for i := range c.SecuritySchemes {
		schemes[c.SecuritySchemes[i].Key] = schemeShape(&c.SecuritySchemes[i])
	}
	o["securitySchemes"] = schemes
	return o
}

func skillShape(s *a2a.Skill) object {
	examples := []string{}
	for _, e := range s.Examples {
		examples = append(examples, e.Text)
	}
	return object{
		"id": s.ID, "name": s.Name, "description": s.Description, "tags": s.Tags, "examples": examples,
		"inputModes": s.InputModes, "outputModes": s.OutputModes, "securityRequirements": each(s.Security, requirementShape),
	}
}

func requirementShape(r *a2a.SecurityRequirement) object {
	schemes := object{}
	for _, s := range *r {
		schemes[s.Scheme] = s.Scopes
	}
	return object{"schemes": schemes}
}

func schemeShape(s *a2a.SecurityScheme) object {
	switch s.Type {
	case "apiKey":
		return object{"apiKeySecurityScheme": object{"location": s.In, "name": s.Name, "description": s.Description}}
	case "http":
		return object{"httpAuthSecurityScheme": object{
			"scheme": s.Scheme, "bearerFormat": s.BearerFormat, "description": s.Description,
		}}
	case "openIdConnect":
		return object{"openIdConnectSecurityScheme": object{"openIdConnectUrl": s.OpenIDConnectURL, "description": s.Description}}
	case "mutualTLS":
		return object{"mtlsSecurityScheme": object{"description": s.Description}}
	case "oauth2":
		flows := object{}
		for _, f := range s.Flows {
			scopes := object{}
			for _, scope := range f.Scopes {
				scopes[scope.Name] = scope.Description
			}
			flows[f.Type] = object{
				"authorizationUrl": f.AuthorizationURL, "tokenUrl": f.TokenURL, "refreshUrl": f.RefreshURL,
				"deviceAuthorizationUrl": f.DeviceAuthorizationURL, "pkceRequired": f.PKCERequired, "scopes": scopes,
			}
		}
		return object{"oauth2SecurityScheme": object{
			"flows": flows, "oauth2MetadataUrl": s.OAuth2MetadataURL, "description": s.Description,
		}}
	default:
		return object{"type": s.Type}
	}
}

// plain returns a value as JSON without empty members: null, false, 0 and empty ones are
// written by some encoders only. Times are in UTC.
func plain(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	tree, _ = reduced("", tree)
	return tree
}

// differences lists where two JSON values differ, as pointers with both values.
func differences(pointer string, a, b any) (all []string) {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		names := slices.Sorted(maps.Keys(x))
		for name := range y {
			if _, both := x[name]; !both {
				names = append(names, name)
			}
		}
		for _, name := range names {
			all = append(all, differences(pointer+"/"+name, x[name], y[name])...)
		}
		if y != nil {
			return all
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				all = append(all, differences(fmt.Sprintf("%s/%d", pointer, i), x[i], y[i])...)
			}
			return all
		}
	}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return []string{fmt.Sprintf("%s: %s, not %s", pointer, first, second)}
}

// verbatim are the members whose content is the agent's own.
var verbatim = []string{"data", "metadata", "params", "header"}

func reduced(name string, v any) (_ any, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		if slices.Contains(verbatim, name) {
			return v, len(v) > 0
		}
		for key, member := range v {
			if v[key], ok = reduced(key, member); !ok {
				delete(v, key)
			}
		}
		return v, len(v) > 0 || name == "mtlsSecurityScheme"
	case []any:
		if name == "data" {
			return v, true
		}
		for i := range v {
			v[i], _ = reduced("", v[i])
		}
		return v, len(v) > 0
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil && strings.Contains(strings.ToLower(name), "timestamp") {
			return at.UTC().Format(time.RFC3339Nano), true
		}
		return v, v != "" || name == "text"
	case nil, bool, float64:
		return v, name == "data" || v != nil && v != false && v != 0.0
	default:
		return v, true
	}
}
