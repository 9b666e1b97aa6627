/** What the reference says of each endpoint that does not change while the process runs: terms, parameters, fields. */
import type { OperationName } from "#libs/contract/index.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { usdOf } from "../registry/money.ts";
import { operationsByResource, toolNames } from "./catalog.ts";
import { FieldLines } from "./field-lines.ts";
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

function heading({ operation, http }: HttpOperation, tool: string | undefined): string[] {
	const facts = [
		`price ${usdOf(http.price)}`,
		...(http.needsKey ? ["needs a key"] : []),
		...(http.perMinute === undefined ? [] : [`${http.perMinute} requests a minute and address`]),
		...(tool === undefined ? ["no tool"] : [`tool \`${tool}\``]),
		...(operation.streamed ? ["a file: ranges, ETag, HEAD for free; one charge covers it for a day"] : []),
	];
	return [`### ${http.method} ${http.path}`, "", `${operation.summary} (${facts.join("; ")})`, ""];
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
		name === "runQuery" || name === "getQuery" ? "Answers, as JSON or with `Accept: text/csv` as CSV:" : "Answers:",
		"",
		...lines,
		"",
	];
}
