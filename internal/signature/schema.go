package signature

// A message is a protocol buffer message of the agent card in A2A 1.0, by the JSON names of its
// fields. It says which fields a canonical card omits when they have their default value.
type message map[string]field

// A field of a message. Fields that are required or optional keep their default value in the
// canonical form (§8.4.1, rule 1), all others are omitted then.
type field struct {
	keeps bool    // the field is REQUIRED, or optional and so has presence
	of    message // the fields below, nil for text, numbers, lists of text and free JSON
	isMap bool    // a map from names to messages
}

var (
	kept    = field{keeps: true}
	omitted = field{}
)

// cardMessage returns AgentCard.
func cardMessage() message {
	requirement := message{"schemes": {isMap: true, of: message{"list": omitted}}}
	return message{
		"name": kept, "description": kept, "version": kept, "documentationUrl": kept, "iconUrl": kept,
		"defaultInputModes": kept, "defaultOutputModes": kept,
		"provider": {of: message{"url": kept, "organization": kept}},
		"supportedInterfaces": {keeps: true, of: message{
			"url": kept, "protocolBinding": kept, "tenant": omitted, "protocolVersion": kept,
		}},
		"capabilities": {keeps: true, of: message{
			"streaming": kept, "pushNotifications": kept, "extendedAgentCard": kept,
			"extensions": {of: message{"uri": omitted, "description": omitted, "required": omitted, "params": omitted}},
		}},
		"securitySchemes":      {isMap: true, of: schemeMessage()},
		"securityRequirements": {of: requirement},
		"skills": {keeps: true, of: message{
			"id": kept, "name": kept, "description": kept, "tags": kept, "examples": omitted,
			"inputModes": omitted, "outputModes": omitted, "securityRequirements": {of: requirement},
		}},
	}
}

// schemeMessage returns SecurityScheme. The members of a oneof have presence.
func schemeMessage() message {
	oneOf := func(m message) field { return field{keeps: true, of: m} }
	scopes := func(m message, names ...string) message {
		for _, n := range names {
			m[n] = kept
		}
		m["refreshUrl"] = omitted
		return m
	}
	flows := message{
		"authorizationCode": oneOf(scopes(message{"pkceRequired": omitted}, "authorizationUrl", "tokenUrl", "scopes")),
		"clientCredentials": oneOf(scopes(message{}, "tokenUrl", "scopes")),
		"deviceCode":        oneOf(scopes(message{}, "deviceAuthorizationUrl", "tokenUrl", "scopes")),
		"implicit":          oneOf(scopes(message{"authorizationUrl": omitted, "scopes": omitted})),
		"password":          oneOf(scopes(message{"tokenUrl": omitted, "scopes": omitted})),
	}
	return message{
		"apiKeySecurityScheme":        oneOf(message{"description": omitted, "location": kept, "name": kept}),
		"httpAuthSecurityScheme":      oneOf(message{"description": omitted, "scheme": kept, "bearerFormat": omitted}),
		"oauth2SecurityScheme":        oneOf(message{"description": omitted, "flows": {keeps: true, of: flows}, "oauth2MetadataUrl": omitted}),
		"openIdConnectSecurityScheme": oneOf(message{"description": omitted, "openIdConnectUrl": kept}),
		"mtlsSecurityScheme":          oneOf(message{"description": omitted}),
	}
}
