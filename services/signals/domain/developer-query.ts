/** Questions to GDELT's search: as many developers' names as one may hold, beside a word of energy (fact sheet, 3.1). Pure. */

/** GDELT refuses longer questions. */
const maxLength = 250;
const energyWords = "(solar OR wind OR energy OR storage OR power)";
const language = "sourcelang:eng";
/** Shorter names are refused as too common; longer ones are not what a headline writes. */
const nameLength = { min: 5, max: 60 };

/**
 * A question for the names that follow `after` in the order of the alphabet, from the first again behind the last, and the last name
 * that it asks for. Null when there is no name to ask for.
 */
export function developerQuery(names: readonly string[], after: string): { query: string; last: string } | null {
	const sorted = [...new Set(names)].filter((name) => isAskable(plain(name))).sort();
	const start = Math.max(
		0,
		sorted.findIndex((name) => name > after),
	);
	const chosen: string[] = [];
	for (const name of [...sorted.slice(start), ...sorted.slice(0, start)]) {
		if (asked([...chosen, name]).length > maxLength) break;
		chosen.push(name);
	}
	const last = chosen.at(-1);
	return last === undefined ? null : { query: asked(chosen), last };
}

/** Brackets stand around lists of alternatives only. */
function asked(names: readonly string[]): string {
	const phrases = [...new Set(names.map(plain))].map((name) => `"${name}"`);
	const either = phrases.length === 1 ? phrases.join("") : `(${phrases.join(" OR ")})`;
	return `${either} ${energyWords} ${language}`;
}

/** Nothing that means something else in a question. */
const plain = (name: string): string =>
	name
		.replace(/[^\p{L}\p{N}&.' -]/gu, " ")
		.replace(/\s+/g, " ")
		.trim();

const isAskable = (name: string): boolean => name.length >= nameLength.min && name.length <= nameLength.max;
