/** Results do not depend on the order, repetition and batches of events. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { developer, filing, news } from "./support/deliver.ts";
import { developerEvent, filingEvent, named, newsEvent } from "./support/history.ts";
import { expectAllMarked, expectNothingForgotten, expectSameOutcome, few } from "./support/order.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());

test("a single event enqueues everything that it changes", () => expectAllMarked(service, 1, 40));

test("events that arrive late, out of order, twice, singly or together have the same result as in order", () =>
	expectSameOutcome(service, 1, few, 60));

test("a headline that is later found to report a bankruptcy counts from then on", async () => {
	await service.clear();
	const headline = (id: number, version: number, bankruptcy: boolean) => {
		const [title, event_type] = ["Dev 1 files for Chapter 11 bankruptcy", "distress"] as const;
		const developers = [named(1, 0.9, bankruptcy)];
		return news(newsEvent(id, version, { title, event_type, domain: `outlet-${id}.example`, developers }));
	};
	const level = () => service.rows("select to_jsonb(distress_level) as row from developer_ratings");
	await service.deliver(developer(developerEvent(1, 1)), headline(1, 1, false), headline(2, 1, false));
	await service.compute();
	expect(await level()).not.toEqual(["High"]);
	await service.deliver(headline(1, 2, true));
	await expectNothingForgotten(service, "one outlet");
	expect(await level()).not.toEqual(["High"]);
	await service.deliver(headline(2, 2, true));
	await expectNothingForgotten(service, "two outlets");
	expect(await level()).toEqual(["High"]);
});

test("the bankruptcy of a subsidiary is not the developer's own", async () => {
	await service.clear();
	const report = (version: number, subsidiary_bankruptcy: boolean | null) =>
		filing(
			filingEvent("report", version, {
				...{ developer_id: 1, event_type: "distress" },
				item_codes: ["1.03"],
				subsidiary_bankruptcy,
			}),
		);
	const level = () => service.rows("select to_jsonb(distress_level) as row from developer_ratings");
	await service.deliver(developer(developerEvent(1, 1)), report(1, true));
	await service.compute();
	expect(await level()).not.toEqual(["High"]);
	await service.deliver(report(2, null));
	await expectNothingForgotten(service, "not read");
	expect(await level()).toEqual(["High"]);
});
