/** The query string read strictly: what cannot be decoded is refused instead of guessed at. */
import { AppError, badRequest } from "#libs/contract/errors.ts";

/** Parameters of a query, fields of a body, arguments of a tool: no operation knows half as many. */
export const mostParameters = 100;

/**
 * Names and values in the order sent, repeats included. `+` is a space.
 * @throws AppError 400 where a percent-encoding is none, 414 for too many.
 */
export function readQuery(text: string): [name: string, value: string][] {
	if (text === "") return [];
	const pairs: [string, string][] = [];
	for (const part of text.split("&")) {
		if (part === "") continue;
		if (pairs.length === mostParameters) throw new AppError(414, `there are more than ${mostParameters} parameters`);
		const equals = part.indexOf("=");
		if (equals === -1) pairs.push([decode(part), ""]);
		else pairs.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
	}
	return pairs;
}

function decode(text: string): string {
	const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
	if (!spaced.includes("%")) return spaced;
	try {
		return decodeURIComponent(spaced);
	} catch {
		throw badRequest("the query is not valid percent-encoded UTF-8");
	}
}
