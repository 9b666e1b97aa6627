/** Two tools by which a model can use every operation: one finds operations and describes their parameters, the other calls them. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { resourceNotes } from "#libs/contract/documents/about.ts";
import { resources } from "#libs/contract/index.ts";
import { fieldsOf } from "#libs/contract/schemas/fields.ts";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { type BoundTool, toolName } from "../mcp-tools/tools.ts";
import { jsonSchema } from "../registry/json-schema.ts";

export const findOperations = "find_operations";
export const callOperation = "call_operation";

/** Maximum operations that one call describes. */
const maxDescribed = 3;
/** Maximum operations that one search returns. */
const maxFound = 12;
const maxQueryCharacters = 200;

export const generalTools: Tool[] = [
	{
		name: findOperations,
		description:
			"Finds operations, also those that are not listed as tools. q: words to search for; names: operations to describe with all parameters and response fields. Without either: all operations, by subject. Free.",
		inputSchema: {
			type: "object",
			properties: {
				q: { type: "string", description: "Words, such as data centers or webhook deliveries" },
				names: { type: "array", items: { type: "string" }, description: `Up to ${maxDescribed} names` },
			},
		},
		annotations: { readOnlyHint: true },
	},
	{
		name: callOperation,
		description: "Calls an operation that find_operations names, listed as a tool or not, with its parameters.",
		inputSchema: {
			type: "object",
			properties: {
				name: { type: "string" },
				arguments: { type: "object" },
			},
			required: ["name"],
		},
		annotations: { readOnlyHint: true },
	},
];

/** @returns an error result for invalid arguments */
export function searchTools(tools: ReadonlyMap<string, BoundTool>, given: Record<string, unknown>): CallToolResult {
	const { q, names, ...others } = given;
	const [other] = Object.keys(others);
	if (other !== undefined) return errorResult(`${other}: is not an argument of ${findOperations}`);
	if (names !== undefined) {
		if (!Array.isArray(names) || names.length === 0 || names.length > maxDescribed)
			return errorResult(`names: must be a list of 1 to ${maxDescribed} names`);
		const unknown = names.find((name) => !tools.has(String(name)));
		if (unknown !== undefined)
			return errorResult(
				`names: there is no operation ${JSON.stringify(String(unknown).slice(0, maxQueryCharacters))}`,
			);
		return textResult(names.map((name) => describeTool(tools.get(String(name)) as BoundTool)).join("\n\n"));
	}
	if (q === undefined) return textResult(bySubject(tools));
	if (typeof q !== "string" || q.length > maxQueryCharacters)
		return errorResult(`q: must be a text of at most ${maxQueryCharacters} characters`);
	const matches = rankTools(tools, q).slice(0, maxFound);
	return textResult(
		matches.length === 0 ? `No operation matches these words.\n${bySubject(tools)}` : matches.map(toolLine).join("\n"),
	);
}

const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });
const errorResult = (detail: string): CallToolResult => ({
	content: [{ type: "text", text: JSON.stringify({ status: 422, detail, code: "invalid_parameters" }) }],
	isError: true,
});

const toolLine = ({ tool }: BoundTool): string => `${tool.name}: ${tool.description}`;

function bySubject(tools: ReadonlyMap<string, BoundTool>): string {
	return Object.entries(resources)
		.map(([subject, members]) => {
			const names = Object.keys(members).map((name) => toolName(name as never));
			return { subject, names: names.filter((name) => tools.has(name)) };
		})
		.filter(({ names }) => names.length > 0)
		.map(({ subject, names }) => `${subject} (${resourceNotes[subject] ?? subject}): ${names.join(", ")}`)
		.join("\n");
}

/** Ranks tools by the number of words in their names, descriptions and parameters. A match in the name counts the most. */
function rankTools(tools: ReadonlyMap<string, BoundTool>, q: string): BoundTool[] {
	const words = [...new Set(q.toLowerCase().match(/[a-z0-9]{2,}/g) ?? [])].map((word) =>
		word.replace(/(?<=.{3})s$/, ""),
	);
	const scored = [...tools.values()].map((bound) => {
		const { name, description = "", inputSchema } = bound.tool;
		const parameters = JSON.stringify(inputSchema.properties).toLowerCase();
		const text = description.toLowerCase();
		const score = words.reduce(
			(sum, word) =>
				sum + (name.includes(word) ? 4 : 0) + (text.includes(word) ? 2 : 0) + (parameters.includes(word) ? 1 : 0),
			0,
		);
		return { bound, score };
	});
	return scored
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ bound }) => bound);
}

function describeTool(bound: BoundTool): string {
	const { tool, declared } = bound;
	const required = new Set(tool.inputSchema.required ?? []);
	const parameters = Object.entries(tool.inputSchema.properties as Record<string, JsonSchema>).map(
		([name, schema]) => `- ${name}${required.has(name) ? " (required)" : ""} ${typeLine(schema)}`,
	);
	const fields = fieldsOf(jsonSchema(declared.operation.reply))
		.filter(({ path }) => path !== "")
		.map(({ path, type, unit }) => `${path} ${shortened(type)}${unit === undefined ? "" : ` [${unit}]`}`);
	return [toolLine(bound), "Parameters:", ...parameters, `Answer: ${fields.join(", ")}`].join("\n");
}

const typeLength = 80;
const shortened = (text: string): string => (text.length > typeLength ? `${text.slice(0, typeLength)}…` : text);

function typeLine({ type, items, enum: words, default: defaultValue, description = "" }: JsonSchema): string {
	const list = words ?? items?.enum;
	const kind = list === undefined ? [type ?? "string"].flat().join(" or ") : list.join(" | ");
	return `${items === undefined ? "" : "list of "}${kind}${defaultValue === undefined ? "" : `, default ${defaultValue}`}: ${description}`;
}
