/** Every move of a request's projected date goes with every event of the request. */
import { expect, test } from "vitest";
import { republish } from "../../services/queue-ingest/admin/republish.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { registerWith } from "./support/developers.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { ercotRows, idOf, takeErcot } from "./support/scoring.ts";

/** Named in the queue as "Quillfeather Renewables LLC". */
const moved = 3;
const at = (facts: { cod?: string; mw?: number }) => ercotRows((_, place) => (place === moved ? facts : {}));
const first = ercotRows()[moved]?.cod ?? "";

/** Events published since the last call, with their moves. */
async function published(queue: Queue) {
	const { changed } = await queue.announced();
	await queue.sql`delete from outbox`;
	return Object.fromEntries(changed.map(({ project, cod_changes }) => [project.id, cod_changes]));
}

test("changes of a projected date are published with every later change of the request, oldest first, and republished", async () => {
	await using queue = await openQueue();
	await takeErcot(queue, "2026-03-01");
	const listed = Object.values(await published(queue));
	expect(listed).toHaveLength(120);
	expect(listed.every((moves) => moves.length === 0)).toBe(true);
	await takeErcot(queue, "2026-03-05", at({ cod: "2035-06-30" }));
	const slipped = { on: "2026-03-05", old: first, new: "2035-06-30" };
	expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped] });
	await takeErcot(queue, "2026-03-09", at({ cod: "2036-12-31" }));
	const again = { on: "2026-03-09", old: "2035-06-30", new: "2036-12-31" };
	expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped, again] });
	await queue.retract("ERCOT", "2026-03-10");
	const back = { on: "2026-03-10", old: "2036-12-31", new: "2035-06-30" };
	const moves = [slipped, again, back];
	expect(await published(queue)).toEqual({ [idOf(moved)]: moves });
	await takeErcot(queue, "2026-03-12", at({ cod: "2035-06-30", mw: 55 }));
	expect(await published(queue)).toEqual({ [idOf(moved)]: moves });

	expect(await republish(queue.sql, "project.changed")).toBe(120);
	const all = await published(queue);
	expect(all[idOf(moved)]).toEqual(moves);
	expect(Object.values(all).flat()).toHaveLength(moves.length);
	expect(await republish(queue.sql, "no.such.event")).toBeUndefined();
	// The register finds another developer.
	await syncRegister(queue.sql, registerWith("Quillfeather Renewables"));
	expect(await published(queue)).toEqual({ [idOf(moved)]: moves });
});
