/** A search forgives a slip where nothing is spelled as it is, and understands a county with its word and its state. */
import { expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue: Queue = sharedQueue(async () => {
	const rows = [
		{ number: "J100", state: "TX", county: "Harris", summer: 10, winter: 10 },
		{ number: "J101", state: "GA", county: "Harris", summer: 20, winter: 20 },
		{ number: "J102", state: "IL", county: "Kane", summer: 30, winter: 30 },
		{ number: "J103", state: "IL", county: "Kankakee", summer: 40, winter: 40 },
	];
	await queue.take("MISO", "2026-03-01T12:00:00Z", misoJson([...rows, ...standing(30)]));
	await queue.sql.begin(async (tx) => {
		await tx`update projects set developer = 'Invenergy Wind LLC', name = 'Heron Marsh' where id = 'MISO-J100'`;
		await tx`update projects set name = 'Heron Solar' where id in ('MISO-J101', 'MISO-J102')`;
		await tx`update projects set name = 'Herod Kanawha' where id = 'MISO-J103'`;
		await tx`update projects set name = 'Windsor' where id in ('MISO-J9001', 'MISO-J9002')`;
		await tx`update projects set name = 'Windstar' where id = 'MISO-J9003'`;
		await raiseDataVersion(tx);
	});
});

const shown = (hit: Reply<"search">["results"][number]) => {
	if (hit.kind === "project") return hit.id;
	return hit.kind === "county" ? `${hit.name}, ${hit.state}` : hit.name;
};
async function found(q: string, page: { page?: number; per_page?: number } = {}) {
	const { query, corrected, results } = await queue.ask("search", { q, ...page });
	expect(query).toBe(q);
	return [corrected, results.map(shown)];
}

test.each<[string, string | undefined, string[]]>([
	// One slip of each kind, in either half of the word.
	["inveneryg", "invenergy", ["Invenergy", "MISO-J100"]],
	["nivenergy", "invenergy", ["Invenergy", "MISO-J100"]],
	["invenergi", "invenergy", ["Invenergy", "MISO-J100"]],
	["invnergy", "invenergy", ["Invenergy", "MISO-J100"]],
	["invenerrgy", "invenergy", ["Invenergy", "MISO-J100"]],
	["INVENERYG  Wind", undefined, []],
	["Inveneryg Wind", "invenergy wind", ["Invenergy", "MISO-J100"]],
	["heron mrash", "heron marsh", ["MISO-J100"]],
	// Between two equally near words, the one in more requests wins.
	["herol", "heron", ["MISO-J102", "MISO-J101", "MISO-J100"]],
	// A letter that is left out before another in its place, though more requests have that.
	["windstr", "windstar", ["MISO-J9003"]],
	// The operator's name before a number, and a state without its comma.
	["miso J100", "MISO-J100", ["MISO-J100"]],
	["Harris TX", "Harris, TX", ["Harris, TX"]],
	// Two slips in one half.
	["inveneyrgg", "invenergy", ["Invenergy", "MISO-J100"]],
	// A word that occurs is not corrected; a part of a word is.
	["marsh", undefined, ["MISO-J100"]],
	["invener", undefined, ["Invenergy", "MISO-J100"]],
	["marsh heron", undefined, []],
	["kane solra marsh", undefined, []],
	// No word is near, or the text is too short, or a number.
	["xylophone", undefined, []],
	["inveneryg xylophone", undefined, []],
	["hrn", undefined, []],
	["J1007", undefined, []],
])("%j is searched as %j", async (q, corrected, expected) => expect(await found(q)).toEqual([corrected, expected]));

test.each<[string, string | undefined, string[]]>([
	["Harris County", undefined, ["Harris, GA", "Harris, TX"]],
	["harris county, tx", undefined, ["Harris, TX"]],
	["Harris County Texas", undefined, ["Harris, TX"]],
	["Harris, GA", undefined, ["Harris, GA"]],
	["Harris County, LA", undefined, []],
	["Kan County", undefined, ["Kane, IL", "Kankakee, IL"]],
	["Kankakeee County, IL", "kankakee county, il", ["Kankakee, IL"]],
	// Names of requests begin so, none of a county.
	["Hero County", undefined, []],
	["Kana County", "kane county", ["Kane, IL"]],
	["Haris County, Texas", "harris county, texas", ["Harris, TX"]],
])("%j is a county", async (q, corrected, expected) => expect(await found(q)).toEqual([corrected, expected]));

test("pages of a corrected search continue after the previous one", async () => {
	const pages = [1, 2, 3, 4].map((page) => found("herol", { page, per_page: 1 }));
	expect((await Promise.all(pages)).map(([, hits]) => hits)).toEqual([["MISO-J102"], ["MISO-J101"], ["MISO-J100"], []]);
	expect(await found("marsh", { page: 2 })).toEqual([undefined, []]);
});
