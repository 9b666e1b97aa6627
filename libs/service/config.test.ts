import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, loadConfig } from "./config.ts";

const schema = z.object({
	NATS_URL: z.string(),
	PORT: z.coerce.number().int().max(65_535).default(8080),
	LEVEL: z.enum(["info", "debug"]).optional(),
});

test("settings are read by name; an empty one is absent", () => {
	expect(loadConfig(schema, { NATS_URL: "nats://x", PORT: "", LEVEL: "", HOME: "/root" })).toEqual({
		NATS_URL: "nats://x",
		PORT: 8080,
	});
});

test("every wrong setting is named in a sentence, without its value", () => {
	const load = () => loadConfig(schema, { PORT: "secret", LEVEL: "hunter2" });
	expect(load).toThrow(ConfigError);
	expect(load).toThrow(
		/^The setting NATS_URL is missing\.\nThe setting PORT is wrong: .+\.\nThe setting LEVEL is wrong: .+\.$/,
	);
	expect(load).not.toThrow(/secret|hunter2/);
});

test("settings that contradict each other are reported", () => {
	const pair = z.object({ A: z.string() }).refine(() => false, "A and B exclude each other");
	expect(() => loadConfig(pair, { A: "1" })).toThrow("The settings together are wrong: A and B exclude each other.");
});
