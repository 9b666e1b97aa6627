import { expect, test } from "vitest";
import { z } from "zod";
import { events } from "../index.ts";
import { cloudEvent } from "./cloud-event.ts";
import { type EventShape, publicPublishers } from "./event.ts";

const open = Object.entries<EventShape>(events).filter(([, { publisher }]) => publicPublishers.includes(publisher));

test.each(open)("%s has a complete example that matches its schema", (_name, { payload, example }) => {
	expect(payload.parse(example)).toEqual(example);
});

test.each(open)("the id in the example of %s names that event", (_name, declared) => {
	const example = z.looseObject({ id: z.string() }).parse(declared.example);
	expect(example.id).toMatch(new RegExp(`^${declared.name}:`));
	// A list and a farewell are about no one thing.
	const isAboutOne = !["snapshot.applied", "sample.left"].includes(declared.name);
	expect(cloudEvent(declared, example).subject !== undefined).toBe(isAboutOne);
});

test.each(open)("every field of %s has a description", (_name, { payload }) => {
	const { properties = {} } = z.toJSONSchema(payload);
	// A nullable part carries its description in either place.
	for (const [field, schema] of Object.entries(properties))
		expect(JSON.stringify(schema), field).toContain('"description":"');
});
