/** A call of an endpoint, and the same as a command or a program. */
import type { JsonSchema } from "#libs/schemas/json-schema.ts";
import type { Endpoint } from "./document.ts";

/** What stands in the fields of the page, by parameter; empty is absent. */
export type Given = Record<string, string>;

export interface Call {
	method: Endpoint["method"];
	/** With the query, from the address of the service on. */
	address: string;
	/** JSON. */
	body: string | undefined;
	/** It says more, or costs less, with a key. */
	takesKey: boolean;
}

export const exampleOf = ({ parameters }: Endpoint): Given =>
	Object.fromEntries(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])));

export function callOf({ method, path, parameters, key }: Endpoint, given: Given): Call {
	const set = parameters.filter(({ name }) => (given[name] ?? "") !== "");
	const at = path.replace(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(given[name] || whole));
	const query = new URLSearchParams(
		set.filter((parameter) => parameter.in === "query").map(({ name }) => [name, given[name] ?? ""]),
	).toString();
	const inBody = set.filter((parameter) => parameter.in === "body");
	const body = Object.fromEntries(inBody.map(({ name, schema }) => [name, parsed(given[name] ?? "", schema)]));
	return {
		method,
		address: query === "" ? at : `${at}?${query}`,
		body: inBody.length === 0 ? undefined : JSON.stringify(body),
		takesKey: key === "better" || key === "needed",
	};
}

/** What is no value of the type is sent as it was typed: the service says what is wrong with it. */
function parsed(text: string, { type, items, anyOf }: JsonSchema): unknown {
	const types = [type ?? anyOf?.map((each) => each.type) ?? []].flat(2);
	if (items !== undefined && !text.startsWith("[")) return text.split(",").map((each) => parsed(each, items));
	if (types.includes("string") && !types.includes("null")) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Names of languages, in the order in which they are offered. */
export const languages = ["curl", "JavaScript", "Python"] as const;
export type Language = (typeof languages)[number];

/** `base`: the address of the service, without a slash at the end. The key is read from the environment: KEY. */
export const programOf: Record<Language, (call: Call, base: string) => string> = {
	curl: ({ method, address, body, takesKey }, base) =>
		[
			`curl ${method === "GET" ? "" : `-X ${method} `}${quoted(base + address)}`,
			...(takesKey ? ['-H "X-API-Key: $KEY"'] : []),
			...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
		].join(" \\\n  "),

	JavaScript: ({ method, address, body, takesKey }, base) => {
		const headers = [
			...(takesKey ? ['"X-API-Key": process.env.KEY'] : []),
			...(body === undefined ? [] : ['"Content-Type": "application/json"']),
		];
		const options = [
			...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
			...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
			...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
		];
		const more = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
		return `const response = await fetch(${JSON.stringify(base + address)}${more});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());`;
	},

	Python: ({ method, address, body, takesKey }, base) => {
		const headers = [
			...(takesKey ? ['"X-API-Key": os.environ["KEY"]'] : []),
			...(body === undefined ? [] : ['"Content-Type": "application/json"']),
		];
		const options = [
			JSON.stringify(base + address),
			...(method === "GET" ? [] : [`method=${JSON.stringify(method)}`]),
			...(headers.length === 0 ? [] : [`headers={${headers.join(", ")}}`]),
			...(body === undefined ? [] : [`data=${JSON.stringify(body)}.encode()`]),
		];
		const request = `urllib.request.Request(\n    ${options.join(",\n    ")},\n)`;
		return `${takesKey ? "import os\n" : ""}import urllib.request

request = ${request}
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`;
	},
};

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
