/** JSON Schema, as far as the interface uses it. */
export interface JsonSchema {
	/** Reference to a named schema; siblings override it. */
	$ref?: string;
	/** A list if several types are allowed. */
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
