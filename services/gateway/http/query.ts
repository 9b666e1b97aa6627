/** The query string read strictly: what cannot be decoded is refused instead of guessed at. */
import { badRequest } from "#libs/contract/errors.ts";

/** Names and values in the order sent, repeats included. `+` is a space. Throws 400 where a percent-encoding is none. */
export function readQuery(text: string): [name: string, value: string][] {
	if (text === "") return [];
	const pairs: [string, string][] = [];
	for (const part of text.split("&")) {
		if (part === "") continue;
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
