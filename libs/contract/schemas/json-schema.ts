/** JSON Schema, as far as the schemas of the interface use it. */
export interface JsonSchema {
	/** To a schema that has a name; what stands beside it is of this place. */
	$ref?: string;
	/** Several where a value may be of either: a number or null. */
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	format?: string;
	description?: string;
	default?: unknown;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	"x-unit"?: string;
}
