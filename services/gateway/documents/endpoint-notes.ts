/** What the reference says of each endpoint that does not change while the process runs: terms, parameters, fields. */
import type { OperationName } from "#libs/contract/index.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { operationsByResource, toolNames } from "./catalog.ts";
import { FieldLines } from "./field-lines.ts";
import { factsOf } from "./operation-facts.ts";
import { ParameterLines } from "./parameter-lines.ts";
import { parametersOf } from "./parameters.ts";

let made: ReadonlyMap<OperationName, string> | undefined;

/** Made once, in the order of the reference: later endpoints refer to the fields of earlier ones. */
export function endpointNotes(): ReadonlyMap<OperationName, string> {
	made ??= make();
	return made;
}

function make(): Map<OperationName, string> {
	const tools = toolNames();
	const fields = new FieldLines();
	const parameters = new ParameterLines();
	const all = operationsByResource().flatMap(({ members }) => members);
	return new Map(
		all.map((declared) => [
			declared.name,
			[
				...heading(declared, tools.get(declared.name)),
				...parametersIn(declared, parameters),
				...answer(declared, fields),
			].join("\n"),
		]),
	);
}

function heading(declared: HttpOperation, tool: string | undefined): string[] {
	const { operation, http } = declared;
	return [`### ${http.method} ${http.path}`, "", `${operation.summary} (${factsOf(declared, tool).join("; ")})`, ""];
}

function parametersIn({ operation, http }: HttpOperation, lines: ParameterLines): string[] {
	const parameters = parametersOf(operation, http);
	if (parameters.length === 0) return [];
	return ["Parameters:", "", ...lines.of(`${http.method} ${http.path}`, parameters), ""];
}

function answer({ name, operation, http }: HttpOperation, fields: FieldLines): string[] {
	const { mediaType, mediaTypes } = operation;
	if (mediaType !== undefined) {
		const types = mediaTypes === undefined ? [mediaType] : Object.values(mediaTypes);
		return [`Answers ${types.map((type) => type.split(";", 1)[0]).join(" or ")}.`, ""];
	}
	const lines = fields.of(`${http.method} ${http.path}`, operation.reply);
	return [
		name === "runQuery" || name === "getQuery" || name === "runSavedQuery"
			? "Answers, as JSON or with `Accept: text/csv` as CSV:"
			: "Answers:",
		"",
		...lines,
		"",
	];
}
