package main

import (
	"strings"

	"github.com/a2aproject/a2a-go/a2a"
)

// An object is a JSON object of A2A 1.0.
type object map[string]any

func each[T any](all []T, shape func(T) object) []object {
	list := []object{}
	for _, v := range all {
		list = append(list, shape(v))
	}
	return list
}

func event(ev a2a.Event) object {
	switch ev := ev.(type) {
	case *a2a.Message:
		return object{"message": message(ev)}
	case *a2a.Task:
		return object{"task": task(ev)}
	case *a2a.TaskStatusUpdateEvent:
		return object{"statusUpdate": object{
			"taskId": ev.TaskID, "contextId": ev.ContextID, "status": status(ev.Status), "metadata": ev.Metadata, "final": ev.Final,
		}}
	case *a2a.TaskArtifactUpdateEvent:
		return object{"artifactUpdate": object{
			"taskId": ev.TaskID, "contextId": ev.ContextID, "artifact": artifact(ev.Artifact), "metadata": ev.Metadata,
			"append": ev.Append, "lastChunk": ev.LastChunk,
		}}
	default:
		return nil
	}
}

func message(m *a2a.Message) object {
	if m == nil {
		return nil
	}
	return object{
		"messageId": m.ID, "contextId": m.ContextID, "taskId": m.TaskID, "role": "ROLE_" + strings.ToUpper(string(m.Role)),
		"parts": each(m.Parts, part), "metadata": m.Metadata, "extensions": m.Extensions, "referenceTaskIds": m.ReferenceTasks,
	}
}

func part(p a2a.Part) object {
	o := object{"metadata": p.Meta()}
	switch p := p.(type) {
	case a2a.TextPart:
		o["text"] = p.Text
	case a2a.DataPart:
		o["data"] = p.Data
	case a2a.FilePart:
		switch f := p.File.(type) {
		case a2a.FileBytes:
			o["raw"], o["filename"], o["mediaType"] = f.Bytes, f.Name, f.MimeType
		case a2a.FileURI:
			o["url"], o["filename"], o["mediaType"] = f.URI, f.Name, f.MimeType
		}
	}
	return o
}

func status(s a2a.TaskStatus) object {
	return object{
		"state":     "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(string(s.State), "-", "_")),
		"timestamp": s.Timestamp, "message": message(s.Message),
	}
}

func artifact(a *a2a.Artifact) object {
	return object{
		"artifactId": a.ID, "name": a.Name, "description": a.Description, "parts": each(a.Parts, part),
		"metadata": a.Metadata, "extensions": a.Extensions,
	}
}

func task(t *a2a.Task) object {
	return object{
		"id": t.ID, "contextId": t.ContextID, "status": status(t.Status), "artifacts": each(t.Artifacts, artifact),
		"history": each(t.History, message), "metadata": t.Metadata,
	}
}

func push(p a2a.TaskPushConfig) object {
	o := object{"taskId": p.TaskID, "id": p.Config.ID, "url": p.Config.URL, "token": p.Config.Token}
	if auth := p.Config.Auth; auth != nil {
		o["authentication"] = object{"scheme": strings.Join(auth.Schemes, ", "), "credentials": auth.Credentials}
	}
	return o
}

func card(c *a2a.AgentCard) object {
	o := object{
		"name": c.Name, "description": c.Description, "version": c.Version, "documentationUrl": c.DocumentationURL,
		"iconUrl": c.IconURL, "provider": c.Provider, "defaultInputModes": c.DefaultInputModes,
		"defaultOutputModes": c.DefaultOutputModes, "signatures": c.Signatures, "skills": each(c.Skills, skill),
		"capabilities": object{
			"streaming": c.Capabilities.Streaming, "pushNotifications": c.Capabilities.PushNotifications,
			"extensions": c.Capabilities.Extensions, "extendedAgentCard": c.SupportsAuthenticatedExtendedCard,
		},
		"supportedInterfaces":  interfaces(c),
		"securityRequirements": each(c.Security, requirement),
	}
	schemes := object{}
	for name, s := range c.SecuritySchemes {
		schemes[string(name)] = scheme(s)
	}
	o["securitySchemes"] = schemes
	return o
}

// interfaces returns the main interface, then those that differ from it.
func interfaces(c *a2a.AgentCard) []object {
	main := a2a.AgentInterface{Transport: c.PreferredTransport, URL: c.URL}
	if main.Transport == "" {
		main.Transport = a2a.TransportProtocolJSONRPC
	}
	all := []a2a.AgentInterface{main}
	for _, i := range c.AdditionalInterfaces {
		if i != main {
			all = append(all, i)
		}
	}
	return each(all, func(i a2a.AgentInterface) object {
		return object{"url": i.URL, "protocolBinding": i.Transport, "protocolVersion": c.ProtocolVersion}
	})
}

func skill(s a2a.AgentSkill) object {
	return object{
		"id": s.ID, "name": s.Name, "description": s.Description, "tags": s.Tags, "examples": s.Examples,
		"inputModes": s.InputModes, "outputModes": s.OutputModes, "securityRequirements": each(s.Security, requirement),
	}
}

func requirement(r a2a.SecurityRequirements) object { return object{"schemes": r} }

func scheme(s a2a.SecurityScheme) object {
	switch s := s.(type) {
	case a2a.APIKeySecurityScheme:
		return object{"apiKeySecurityScheme": object{"location": s.In, "name": s.Name, "description": s.Description}}
	case a2a.HTTPAuthSecurityScheme:
		return object{"httpAuthSecurityScheme": object{
			"scheme": s.Scheme, "bearerFormat": s.BearerFormat, "description": s.Description,
		}}
	case a2a.OpenIDConnectSecurityScheme:
		return object{"openIdConnectSecurityScheme": object{
			"openIdConnectUrl": s.OpenIDConnectURL, "description": s.Description,
		}}
	case a2a.MutualTLSSecurityScheme:
		return object{"mtlsSecurityScheme": object{"description": s.Description}}
	case a2a.OAuth2SecurityScheme:
		return object{"oauth2SecurityScheme": object{
			"flows": s.Flows, "oauth2MetadataUrl": s.Oauth2MetadataURL, "description": s.Description,
		}}
	default:
		return nil
	}
}
