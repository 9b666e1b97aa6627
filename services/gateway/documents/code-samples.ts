/** The example of an operation as commands and programs (`x-codeSamples`, which readers of OpenAPI show beside it). */
import { type Call, duckdbOf, languages, programOf } from "#libs/documents/programs.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { addressOf, bodyOf, type CallParams } from "./call.ts";

export interface CodeSample {
	lang: string;
	label: string;
	source: string;
}

/** Of a service that does not know its address: where `npm run up` has it. */
const localBase = "http://127.0.0.1:8080";
const parquet = "application/vnd.apache.parquet";

export function codeSamples({ http, operation }: HttpOperation, example: CallParams, serverUrl: string): CodeSample[] {
	const base = serverUrl === "/" ? localBase : serverUrl.replace(/\/$/, "");
	const call = (params: CallParams): Call => ({
		method: http.method,
		address: addressOf(http, params),
		body: bodyOf(http, params) ?? undefined,
		takesKey: http.price !== "free" || http.needsKey === true,
	});
	const format = Object.entries(operation.mediaTypes ?? {}).find(([, type]) => type === parquet)?.[0];
	return [
		...languages.map((language) => ({
			lang: language === "curl" ? "Shell" : language,
			label: language,
			source: programOf[language](call(example), base),
		})),
		...(format === undefined
			? []
			: [{ lang: "SQL", label: "DuckDB", source: duckdbOf(call({ ...example, format }), base) }]),
	];
}
