import { expect, test } from "vitest";
import { plantLabel, stageLabel } from "./labels.ts";

test.each([
	["late", "IA Executed", "Agreement signed"],
	["late", "GIA", "Agreement in negotiation"],
	["late", null, "Agreement signed or in negotiation"],
	["construction", "IA Executed", "Under construction"],
	["mid", "SIS", "Mid"],
])("the stage %s in the study phase %s is labeled %s", (stage, phase, label) => {
	expect(stageLabel(stage, phase)).toBe(label);
});

test("a site of which nothing is known to be built is not called none", () => {
	expect(["none", "partially_operating"].map(plantLabel)).toEqual(["Nothing reported", "Partially operating"]);
});
