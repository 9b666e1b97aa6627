import { expect, test } from "vitest";
import { z } from "zod";
import { cloudEvent, occurredAtIn } from "./cloud-event.ts";
import { type EventShape, openPublishers } from "./event.ts";
import { projectChanged } from "./events/queue-ingest.ts";
import { events } from "./index.ts";

const occurred_at = "2026-03-01T06:00:00Z";

test("an event says what CloudEvents asks for, and what it is about", () => {
	expect(cloudEvent(projectChanged, { id: "project.changed:ERCOT-24INR0001:3", occurred_at })).toEqual({
		specversion: "1.0",
		id: "project.changed:ERCOT-24INR0001:3",
		source: "/queue-ingest",
		type: "queue-ingest.project.changed",
		time: occurred_at,
		subject: "ERCOT-24INR0001",
		datacontenttype: "application/json",
	});
});

test.each([
	["project.changed:MISO-J1:2:7", "MISO-J1:2"],
	["project.changed:PJM-AE1-070:12:again:1764000000000", "PJM-AE1-070"],
	["project.changed:PJM-AE1-070", undefined],
	["project.changed:", undefined],
	["snapshot.applied:12:ercot", undefined],
	["fact-1", undefined],
])("the id %s is about %s", (id, subject) => {
	expect(cloudEvent(projectChanged, { id, occurred_at }).subject).toBe(subject);
});

test("an event without a time is one without that attribute", () => {
	expect(cloudEvent(projectChanged, { id: "x" })).not.toHaveProperty("time");
});

test("the time is found in what PostgreSQL and JavaScript write, and in no text within it", () => {
	const title = '"occurred_at": "1999-01-01T00:00:00Z" \\';
	expect(occurredAtIn(JSON.stringify({ title, occurred_at }))).toBe(occurred_at);
	expect(occurredAtIn(`{"title" : ${JSON.stringify(title)}, "occurred_at" : "${occurred_at}"}`)).toBe(occurred_at);
	expect(occurredAtIn(JSON.stringify({ title }))).toBeUndefined();
});

test("no open event has a second field of that name", () => {
	for (const declared of Object.values<EventShape>(events)) {
		if (!openPublishers.includes(declared.publisher)) continue;
		const fields = JSON.stringify(z.toJSONSchema(declared.payload)).match(/"occurred_at":\{/g);
		expect([declared.name, fields?.length]).toEqual([declared.name, 1]);
	}
});
