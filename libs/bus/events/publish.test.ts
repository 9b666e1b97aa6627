import { expect, test } from "vitest";
import { cloudEventHeaders } from "./publish.ts";

const payload = '{"occurred_at":"2026-03-01T06:00:00Z"}';

test("each CloudEvents attribute becomes a header", () => {
	const headers = cloudEventHeaders("event.scoring.project.scored", "project.scored:PJM-AE1-070:5", payload);
	expect(Object.fromEntries(headers)).toEqual({
		"ce-specversion": "1.0",
		"ce-id": "project.scored:PJM-AE1-070:5",
		"ce-source": "/scoring",
		"ce-type": "scoring.project.scored",
		"ce-time": "2026-03-01T06:00:00Z",
		"ce-subject": "PJM-AE1-070",
		"ce-datacontenttype": "application/json",
	});
});

test("characters that are invalid in a header are percent-encoded as the binding requires", () => {
	const headers = cloudEventHeaders("event.signals.news.recorded", 'news.recorded:Euro € 😀 "50%":1', payload);
	expect(new Map(headers).get("ce-subject")).toBe("Euro%20%E2%82%AC%20%F0%9F%98%80%20%2250%25%22");
});

test("events about accounts have no attributes", () => {
	expect(cloudEventHeaders("event.billing.key.changed", "key.changed:1:1", payload)).toEqual([]);
	expect(cloudEventHeaders("event.gateway.usage.recorded", "x", payload)).toEqual([]);
});
