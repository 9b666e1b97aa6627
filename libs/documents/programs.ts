/** A call as a command or a program, for every document that shows one. */
import type { Method } from "#libs/contract/operation.ts";

export interface Call {
	method: Method;
	/** With the query, from the address of the service on. */
	address: string;
	/** JSON. */
	body: string | undefined;
	/** It says more, or costs less, with a key. */
	takesKey: boolean;
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

/** The rows of a Parquet file at an address, in DuckDB. The key is read from the environment. */
export const duckdbOf = ({ address, takesKey }: Pick<Call, "address" | "takesKey">, base: string): string =>
	[
		"INSTALL httpfs; LOAD httpfs;",
		...(takesKey ? ["CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS MAP {'X-API-Key': getenv('KEY')});"] : []),
		`SELECT * FROM read_parquet('${(base + address).replaceAll("'", "''")}') LIMIT 10;`,
	].join("\n");
