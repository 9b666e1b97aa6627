/** Example calls of an operation: URL, body, and the commands and programs that make the call. */

import { answerOf, type Call, duckdbOf, languages, programOf } from "#libs/contract/documents/programs.ts";
import { type ExampleValue, type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { type HttpOperation, pathParameters } from "../registry/bindings.ts";

export type CallParams = Record<string, ExampleValue>;

function fillPath(http: HttpBinding, params: CallParams): { path: string; rest: CallParams } {
	const inPath = new Set(pathParameters(http.path));
	const path = http.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)));
	return { path, rest: Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.has(name))) };
}

/** Path and query of a call; for a request with a body, only the path. */
export function callUrl(http: HttpBinding, params: CallParams): string {
	const { path, rest } = fillPath(http, params);
	// Each field of an object is a query parameter.
	const texts = Object.fromEntries(
		Object.entries(rest).flatMap(([name, value]) =>
			typeof value === "object" && !Array.isArray(value)
				? Object.entries(value).map(([field, each]) => [field, String(each)])
				: [[name, String(value)]],
		),
	);
	const query = new URLSearchParams(texts).toString();
	return !takesBody(http.method) && query !== "" ? `${path}?${query}` : path;
}

/** The body as JSON; null if there is none. */
export function bodyOf(http: HttpBinding, params: CallParams): string | null {
	const { rest } = fillPath(http, params);
	return takesBody(http.method) && Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
}

/** Placeholder for the address of the service, which is known only when a document is requested. */
export const basePlaceholder = "$BASE";

export const callOf = ({ http, operation }: HttpOperation, params: CallParams): Call => ({
	method: http.method,
	address: callUrl(http, params),
	body: bodyOf(http, params) ?? undefined,
	secret: http.credential ?? (http.price !== "free" || http.needsKey === true ? "key" : undefined),
	answer: answerOf(operation.mediaType ?? "application/json"),
});

export interface CodeSample {
	lang: string;
	label: string;
	source: string;
}

const parquet = "application/vnd.apache.parquet";

export function codeSamples(declared: HttpOperation, example: CallParams, serverUrl: string): CodeSample[] {
	const base = serverUrl === "/" ? basePlaceholder : serverUrl.replace(/\/$/, "");
	const format = Object.entries(declared.operation.mediaTypes ?? {}).find(([, type]) => type === parquet)?.[0];
	return [
		...languages.map((language) => ({
			lang: language === "curl" ? "Shell" : language,
			label: language,
			source: programOf[language](callOf(declared, example), base),
		})),
		...(format === undefined
			? []
			: [{ lang: "SQL", label: "DuckDB", source: duckdbOf(callOf(declared, { ...example, format }), base) }]),
	];
}
