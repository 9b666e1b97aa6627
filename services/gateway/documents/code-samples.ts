/** The example of an operation as commands and programs (`x-codeSamples`, which readers of OpenAPI show beside it). */
import { duckdbOf, languages, programOf } from "#libs/documents/programs.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { basePlaceholder, type CallParams, callOf } from "./call.ts";

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
