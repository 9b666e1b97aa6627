/** Example programs that make a call, for documents. */
import type { Method } from "#libs/contract/operation.ts";

export interface Call {
	method: Method;
	/** Path and query. */
	address: string;
	/** Body of the request, as JSON. */
	body: string | undefined;
	/** Credential to send: an API key if the call requires one or is cheaper with one, or a token of prepaid credits. */
	secret: "key" | "credits" | undefined;
	/** Kind of response. The program prints text, writes bytes to a file, or prints an endless stream of events. */
	answer: "text" | "bytes" | "events";
}

export function answerOf(mediaType: string): Call["answer"] {
	if (mediaType.startsWith("text/event-stream")) return "events";
	return /^text\/|json/.test(mediaType) ? "text" : "bytes";
}

/** Languages of the programs, in the order in which documents show them. */
export const languages = ["curl", "JavaScript", "Python"] as const;
export type Language = (typeof languages)[number];

/**
 * Functions that write the program in each language. `base` is the service's URL without a trailing slash. The programs read secrets from the
 * environment variables KEY and CREDITS.
 */
export const programOf: Record<Language, (call: Call, base: string) => string> = {
	curl: ({ method, address, body, secret, answer }, base) =>
		[
			`curl ${curlFlags[answer]}${method === "GET" ? "" : `-X ${method} `}${quoted(base + address)}`,
			...(secret === "key" ? ['-H "X-API-Key: $KEY"'] : []),
			...(secret === "credits" ? ['-H "Authorization: Bearer $CREDITS"'] : []),
			...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
		].join(" \\\n  "),

	JavaScript: ({ method, address, body, secret, answer }, base) => {
		const headers = [
			...(secret === "key" ? ['"X-API-Key": process.env.KEY'] : []),
			...(secret === "credits" ? ['Authorization: "Bearer " + process.env.CREDITS'] : []),
			...(body === undefined ? [] : ['"Content-Type": "application/json"']),
		];
		const options = [
			...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
			...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
			...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
		];
		const optionsArgument = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
		const readCode = {
			text: "console.log(await response.text());",
			bytes: `await writeFile(${JSON.stringify(fileName(address))}, response.body);`,
			events: "for await (const chunk of response.body) process.stdout.write(chunk);",
		};
		return `${answer === "bytes" ? 'import { writeFile } from "node:fs/promises";\n\n' : ""}const response = await fetch(${JSON.stringify(base + address)}${optionsArgument});
if (!response.ok) throw new Error(await response.text());
${readCode[answer]}`;
	},

	Python: ({ method, address, body, secret, answer }, base) => {
		const headers = [
			...(secret === "key" ? ['"X-API-Key": os.environ["KEY"]'] : []),
			...(secret === "credits" ? ['"Authorization": "Bearer " + os.environ["CREDITS"]'] : []),
			...(body === undefined ? [] : ['"Content-Type": "application/json"']),
		];
		const options = [
			JSON.stringify(base + address),
			...(method === "GET" ? [] : [`method=${JSON.stringify(method)}`]),
			...(headers.length === 0 ? [] : [`headers={${headers.join(", ")}}`]),
			...(body === undefined ? [] : [`data=${JSON.stringify(body)}.encode()`]),
		];
		const request = `urllib.request.Request(\n    ${options.join(",\n    ")},\n)`;
		const readCode = {
			text: "    print(response.read().decode())",
			bytes: `    with open(${JSON.stringify(fileName(address))}, "wb") as file:\n        file.write(response.read())`,
			events: '    for line in response:\n        print(line.decode(), end="")',
		};
		return `${secret === undefined ? "" : "import os\n"}import urllib.request

request = ${request}
with urllib.request.urlopen(request) as response:
${readCode[answer]}`;
	},
};

const curlFlags = { text: "", bytes: "-fO ", events: "-N " };

/** The file name that `curl -O` uses for the URL. */
const fileName = (address: string): string => address.replace(/\?.*/, "").replace(/.*\//, "");

/** Quotes a text for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes DuckDB statements that read a Parquet file at a URL. They read the key from the environment. */
export const duckdbOf = ({ address, secret }: Pick<Call, "address" | "secret">, base: string): string =>
	[
		"INSTALL httpfs; LOAD httpfs;",
		...(secret === "key" ? ["CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS MAP {'X-API-Key': getenv('KEY')});"] : []),
		`SELECT * FROM read_parquet('${(base + address).replaceAll("'", "''")}') LIMIT 10;`,
	].join("\n");
