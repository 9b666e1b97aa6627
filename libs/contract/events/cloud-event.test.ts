import { expect, test } from "vitest";
import { z } from "zod";
import { events } from "../index.ts";
import { cloudEvent, textIn } from "./cloud-event.ts";
import { type EventShape, publicPublishers } from "./event.ts";
import { changeRecorded, projectChanged } from "./queue-ingest.ts";

const occurred_at = "2026-03-01T06:00:00Z";

test("an event has the attributes that CloudEvents requires, and a subject", () => {
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

test("the subject of a change is its request; a change of many requests has no subject", () => {
	const about = (project_id: string | null) => cloudEvent(changeRecorded, { id: "change.recorded:12:41", project_id });
	expect(about("PJM-AE1-070").subject).toBe("PJM-AE1-070");
	expect(about(null)).not.toHaveProperty("subject");
});

test("an event without a time has no time attribute", () => {
	expect(cloudEvent(projectChanged, { id: "x" })).not.toHaveProperty("time");
});

test("a field is found in JSON by PostgreSQL and by JavaScript, and not inside a string value", () => {
	const title = '"occurred_at": "1999-01-01T00:00:00Z" \\';
	const read = (payload: string) => textIn(payload, "occurred_at");
	expect(read(JSON.stringify({ title, occurred_at }))).toBe(occurred_at);
	expect(read(`{"title" : ${JSON.stringify(title)}, "occurred_at" : "${occurred_at}"}`)).toBe(occurred_at);
	expect(read(JSON.stringify({ title }))).toBeUndefined();
	expect(read('{"occurred_at": null}')).toBeUndefined();
});

test("each field that is read this way occurs exactly once in its event's schema", () => {
	for (const declared of Object.values<EventShape>(events)) {
		if (!publicPublishers.includes(declared.publisher)) continue;
		const schema = JSON.stringify(z.toJSONSchema(declared.payload));
		for (const field of ["occurred_at", declared.about].filter((name) => name !== undefined))
			expect([declared.name, field, schema.split(`"${field}":{`).length - 1]).toEqual([declared.name, field, 1]);
	}
});
