/** An answer made short enough for a document: the first rows, then fewer, then fewer fields. */

interface Level {
	/** Of a list of objects. */
	rows: number;
	/** Of a list of words or numbers. */
	words: number;
	fields: number;
	characters: number;
}

/** From the gentlest. Fields and words are cut only where a few whole rows are still too long. */
const levels: readonly Level[] = [
	{ rows: 2, words: 10, fields: Infinity, characters: Infinity },
	{ rows: 1, words: 5, fields: Infinity, characters: Infinity },
	{ rows: 1, words: 5, fields: 60, characters: 160 },
	{ rows: 1, words: 2, fields: 12, characters: 60 },
	{ rows: 1, words: 1, fields: 4, characters: 30 },
];

export interface Shortened {
	value: unknown;
	/** Something was left out. */
	isCut: boolean;
	/** Whole rows, each with all its fields: the value still fits the schema of the answer. */
	isWhole: boolean;
}

/** At most `maxBytes` of JSON; undefined where even the last level is longer. */
export function shorten(value: unknown, maxBytes: number): Shortened | undefined {
	for (const level of levels) {
		const cutting = { ...level, isCut: false };
		const short = cut(value, cutting);
		if (Buffer.byteLength(JSON.stringify(short)) <= maxBytes)
			return { value: short, isCut: cutting.isCut, isWhole: level.fields === Infinity };
	}
	return undefined;
}

function cut(value: unknown, level: Level & { isCut: boolean }): unknown {
	if (typeof value === "string") {
		if (value.length <= level.characters) return value;
		level.isCut = true;
		return `${value.slice(0, level.characters)}…`;
	}
	if (Array.isArray(value)) {
		const most = typeof value[0] === "object" ? level.rows : level.words;
		if (value.length > most) level.isCut = true;
		return value.slice(0, most).map((each) => cut(each, level));
	}
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value);
	if (entries.length > level.fields) level.isCut = true;
	return Object.fromEntries(entries.slice(0, level.fields).map(([name, each]) => [name, cut(each, level)]));
}
