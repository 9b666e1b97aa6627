/** Lists in any order: as of every day scores are those of a service to which the same lists came in the order of their days. */
import { expect, test } from "vitest";
import { regions } from "#libs/contract/vocabulary.ts";
import { backfillList } from "../../services/queue-ingest/queues/jobs/backfill-list.ts";
import { misoJson, standing } from "../queue-ingest/support/miso.ts";
import { openQueue } from "../queue-ingest/support/queue.ts";
import { ask, days, expectAnyOrder, said, today } from "./support/late-lists.ts";
import { openScoring } from "./support/scoring.ts";

test("scores as of every day do not depend on the order in which lists came, nor on that of the events", () =>
	expectAnyOrder(1, 2));

test("a list that is older than all that are known is part of the past from its day on", async () => {
	await using queue = await openQueue();
	await using service = await openScoring(`${today}T12:00:00Z`);
	const late = { number: "J1001", phase: "GIA" };
	const rows = [{ number: "J1000", phase: "Phase 1" }, late, ...standing(30)];
	await queue.take("MISO", days[4], misoJson(rows), { accept: true });
	await service.deliver(...(await said(queue)));
	const none = Object.fromEntries(regions.map((region) => [region, null]));
	const before = await ask(service, "listInvestable", { as_of: days[1], min_score: 0 });
	expect([before.data, before.meta.coverage, before.meta.corrections]).toEqual([[], none, 0]);
	const first = [{ number: "J1000", phase: "Phase 1", inService: "2026-01-15" }, late, ...standing(30)];
	const files = [{ ...misoJson(first), path: "miso.json" }];
	expect(await backfillList(queue.sql, { region: "MISO", files, asOf: `${days[0]}T06:00:00Z` })).toMatchObject({
		outcome: "backfilled",
	});
	await service.deliver(...(await said(queue)));
	const after = await ask(service, "listInvestable", { as_of: days[1], min_score: 0, per_page: 200 });
	expect(after.data.map(({ id, basis }) => [id, basis])).toContainEqual(["MISO-J1001", "recomputed"]);
	expect(after.meta).toMatchObject({ coverage: { ...none, MISO: days[0] } });
	expect(after.meta.corrections).toBeGreaterThan(0);
	const score = (as_of: string) => ask(service, "readScore", { project_id: "MISO-J1000", as_of });
	expect((await score(days[1])).inputs.cod_position).toBe("past");
	expect((await score(days[4])).inputs.cod_position).toBe("ahead");
	await expect(score("2026-01-31")).rejects.toMatchObject({ status: 404 });
});
