import { expect, test } from "vitest";
import { z } from "zod";
import { events } from "../index.ts";
import { cloudEvent, textIn } from "./cloud-event.ts";
import { type EventShape, openPublishers } from "./event.ts";
import { changeRecorded, projectChanged } from "./queue-ingest.ts";

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

test("a change is about its request; a change of many requests about no one", () => {
	const about = (project_id: string | null) => cloudEvent(changeRecorded, { id: "change.recorded:12:41", project_id });
	expect(about("PJM-AE1-070").subject).toBe("PJM-AE1-070");
	expect(about(null)).not.toHaveProperty("subject");
});

test("an event without a time is one without that attribute", () => {
	expect(cloudEvent(projectChanged, { id: "x" })).not.toHaveProperty("time");
});

test("a text is found in what PostgreSQL and JavaScript write, and in no text within it", () => {
	const title = '"occurred_at": "1999-01-01T00:00:00Z" \\';
	const read = (payload: string) => textIn(payload, "occurred_at");
	expect(read(JSON.stringify({ title, occurred_at }))).toBe(occurred_at);
	expect(read(`{"title" : ${JSON.stringify(title)}, "occurred_at" : "${occurred_at}"}`)).toBe(occurred_at);
	expect(read(JSON.stringify({ title }))).toBeUndefined();
	expect(read('{"occurred_at": null}')).toBeUndefined();
});

test("what is read so is one field of its event, and no other has its name", () => {
	for (const declared of Object.values<EventShape>(events)) {
		if (!openPublishers.includes(declared.publisher)) continue;
		const schema = JSON.stringify(z.toJSONSchema(declared.payload));
		for (const field of ["occurred_at", declared.about].filter((name) => name !== undefined))
			expect([declared.name, field, schema.split(`"${field}":{`).length - 1]).toEqual([declared.name, field, 1]);
	}
});
