/** Each operator's list against Berkeley Lab's edition that is loaded. */
import { regions } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { operators } from "../../../queues/sources/index.ts";
import { judgeRequests } from "../judge-requests.ts";
import type { Reconciled } from "../reconciled.ts";
import { sumLines } from "../sum-lines.ts";
import { listDayOf, readListed, readOurs } from "./read-requests.ts";

/** Where a list has the parts of a request in columns of its own. */
const partColumns = ["MW-1", "MW-2", "MW-3"];

const notes = [
	"q_status: active, suspended, withdrawn, operational (2020: completed). The edition's day is the end of its year, or the newest date in it where the file states none.",
	"mw_1 to mw_3 are the parts of a request; their sum is what the publisher's own totals count. Capacities of some editions are whole MW.",
	"Transmission service is in the edition of PJM's queue. Of a number that several requests of ISO-NE or NYISO have, it lists one or a few.",
	"A file that is part of an edition makes requests missing there that the edition has.",
];

export async function againstLbnl(tx: Transaction): Promise<Reconciled[]> {
	const [edition] = await tx<{ day: string; sha256: string }[]>`
		select to_char(applied_as_of at time zone 'UTC', 'YYYY-MM-DD') as day, applied_sha256 as sha256 from feeds
		where feed = 'lbnl' and applied_as_of is not null`;
	if (edition === undefined) return [];
	const found: Reconciled[] = [];
	for (const region of regions) {
		const listDay = await listDayOf(tx, region, edition.day);
		const theirs = await readListed(tx, region);
		if (listDay === null || theirs.length === 0) continue;
		const { counted, known } = await readOurs(tx, region, listDay, partColumns);
		const isOfOpen = operators[region].lists.every(({ coverage }) => coverage === "active-only");
		const lines = judgeRequests({ edition: edition.day, listDay, isOfOpen, ours: counted, known, theirs });
		found.push({
			source: "lbnl",
			region,
			title: "LBNL Queued Up",
			edition: edition.day,
			compared_on: listDay,
			sha256: edition.sha256,
			...sumLines(lines),
			notes,
		});
	}
	return found;
}
