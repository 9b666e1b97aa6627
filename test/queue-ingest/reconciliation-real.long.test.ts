/** Real lists beside real editions: every difference has a reason, the sums add up, and what ERCOT states of itself comes out to the tenth of a MW. */
import { expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import type { Region } from "#libs/contract/vocabulary.ts";
import { reconcile } from "../../services/queue-ingest/quality/reconciliation/reconcile.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import { addsUp } from "./support/adds-up.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const lists: [Region, string][] = [
	["NYISO", "nyiso/2020-11-19/NYISO-Interconnection-Queue.xlsx"],
	["SPP", "spp/2024-07-12/GI_ActiveRequest.xlsx"],
	["ERCOT", "ercot/GIS_Report_October2025.xlsx"],
];
const editions = ["lbnl/lbnlisoqueues_2020.xlsx", "lbnl/intq.derived.csv"];
const paths = [...lists.map(([, path]) => path), ...editions];
const now = () => new Date("2026-11-20T12:00:00Z");
const maxUnexplained = 0.01;

describeReal("operators' lists", paths, () => {
	const answers: Reply<"getReconciliation">["data"][] = [];
	const find = (edition: number, region: Region, source: string) =>
		answers[edition]?.find((body) => body.region === region && body.source === source);
	const queue: Queue = sharedQueue(async () => {
		queue.now = now().toISOString();
		for (const [region, path] of lists)
			expect(await ingestSnapshot(queue.sql, { region, files: [readReal(path)], asOf: null, now })).toMatchObject({
				outcome: "applied",
			});
		for (const path of editions) {
			expect(await loadLbnl(queue.sql, readReal(path), now())).toMatchObject({ outcome: "applied" });
			expect(await reconcile(queue.sql, now())).toBe(true);
			answers.push((await queue.ask("getReconciliation", {})).data);
		}
	});

	it("differ from two editions of Berkeley Lab's list with reasons, and sum to both sides", () => {
		for (const body of answers.flat()) {
			addsUp(body);
			expect([body.region, body.edition, body.unexplained_share <= maxUnexplained]).toEqual([
				body.region,
				body.edition,
				true,
			]);
		}
		expect(answers.map((bodies) => bodies.filter(({ source }) => source === "lbnl").length)).toEqual([3, 3]);
	});

	it("are paired by name if an edition numbers its own rows", () => {
		const nyiso = find(0, "NYISO", "lbnl");
		expect(nyiso).toMatchObject({ edition: "2020-12-31", compared_on: "2020-12-31", theirs: { records: 551 } });
		expect(nyiso?.matched_by.name_and_date).toBeGreaterThan(100);
		const agreeing = nyiso?.statuses.flatMap(({ reasons }) => reasons.filter(({ rule }) => rule === "agrees")) ?? [];
		expect(agreeing.reduce((sum, { theirs }) => sum + theirs.records, 0)).toBeGreaterThan(520);
	});

	it("of ERCOT equal its totals, less capacity without a row", () => {
		const ercot = find(1, "ERCOT", "operator");
		expect(ercot).toMatchObject({
			edition: "2025-10-31",
			ours: { records: 1866, capacity_mw: 396_587.71 },
			theirs: { records: 1999, capacity_mw: 431_984.92 },
			unexplained_mw: 0,
		});
		expect(ercot?.statuses[0]?.reasons.map(({ rule, ours, theirs }) => [rule, ours.records, theirs.records])).toEqual([
			["adds_up", 1862, 1862],
			["negative_change", 4, 4],
			["not_published_singly", 0, 133],
		]);
	});
});
