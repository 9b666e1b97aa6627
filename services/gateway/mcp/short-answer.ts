/** The concise form of a response for a model: as much as fits, without empty values, and instructions for getting the rest. */

/** Such a text has fewer than 4,000 tokens, although a token of JSON with numbers has fewer than three characters on average. */
const maxShortCharacters = 9_500;
/** Maximum size of the part of a file with a row on each line. It is smaller, because such text has more tokens. */
export const maxLinesBytes = 5_500;
const maxStringCharacters = 300;

export interface Shortened {
	text: string;
	isCut: boolean;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** `list`: the field that contains the rows, if there is one. */
export function shortAnswer(answer: Json, list: string | undefined): Shortened {
	const bare = omitEmptyValues(answer);
	if (list !== undefined) {
		// An empty list is removed with the other empty values.
		const { [list]: rows = [] } = bare as Record<string, Json>;
		return shortList(bare as Record<string, Json>, list, rows as Json[]);
	}
	const whole = JSON.stringify(bare);
	if (whole.length <= maxShortCharacters) return { text: whole, isCut: false };
	for (const maxElements of [20, 8, 3, 1]) {
		const text = JSON.stringify(shortenValues(bare, maxElements));
		if (text.length <= maxShortCharacters) return { text, isCut: true };
	}
	return { text: JSON.stringify(bare).slice(0, maxShortCharacters), isCut: true };
}

/** Writes the fields other than the list, then as many rows as fit, each on a line. */
function shortList(answer: Record<string, Json>, list: string, rows: Json[]): Shortened {
	const { [list]: _, ...otherFields } = answer;
	const lines: string[] = [];
	const head = JSON.stringify(shortenValues(otherFields, 8)).slice(0, maxShortCharacters / 2);
	let length = head.length;
	for (const row of rows) {
		const line = JSON.stringify(shortenValues(row, 20));
		if (length + line.length > maxShortCharacters) break;
		length += line.length + 1;
		lines.push(line);
	}
	const isCut = lines.length < rows.length;
	// The total of `/changes` is next to `meta` and not in it.
	const meta = { ...answer, ...(answer.meta as object | undefined) } as { total?: Json; page?: Json; pages?: Json };
	const of = typeof meta.total === "number" ? ` of ${meta.total.toLocaleString("en-US")}` : "";
	const page = typeof meta.pages === "number" && meta.pages > 1 ? ` (page ${meta.page} of ${meta.pages})` : "";
	const summary = `${lines.length} ${lines.length === 1 ? "row" : "rows"}${of}${page}.`;
	const more = isCut
		? ` ${rows.length - lines.length} rows of this page are left out: set per_page=${Math.max(1, lines.length)} and read the next pages, choose fields, or set response_format=detailed.`
		: "";
	return { text: [`${summary}${more}`, head, ...lines].join("\n"), isCut };
}

/** Removes nulls and empty lists and objects. */
function omitEmptyValues(value: Json): Json {
	if (Array.isArray(value)) return value.map(omitEmptyValues);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, each]) => each !== null && !(typeof each === "object" && Object.keys(each).length === 0))
			.map(([key, each]) => [key, omitEmptyValues(each)]),
	);
}

/** Shortens lists and texts, and states how much is missing. */
function shortenValues(value: Json, maxElements: number): Json {
	if (typeof value === "string")
		return value.length > maxStringCharacters
			? `${value.slice(0, maxStringCharacters)}… (${value.length} characters)`
			: value;
	if (Array.isArray(value)) {
		const first: Json[] = value.slice(0, maxElements).map((each) => shortenValues(each, maxElements));
		return value.length > maxElements ? [...first, `… ${value.length - maxElements} more`] : first;
	}
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortenValues(each, maxElements)]));
}
