/** A call of an endpoint with what stands in the fields of the page. */
import { answerOf, type Call } from "#libs/documents/programs.ts";
import type { JsonSchema } from "#libs/schemas/json-schema.ts";
import type { Endpoint } from "./document.ts";

/** What stands in the fields of the page, by parameter; empty is absent. */
export type Given = Record<string, string>;

export const exampleOf = ({ parameters }: Endpoint): Given =>
	Object.fromEntries(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])));

export function callOf({ method, path, parameters, key, answers }: Endpoint, given: Given): Call {
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
		secret: key === "none" ? undefined : key === "credits" ? "credits" : "key",
		answer: answerOf(answers[0]?.[0] ?? "application/json"),
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
