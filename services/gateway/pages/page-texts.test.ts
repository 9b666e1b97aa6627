import { expect, test } from "vitest";
import { subjectTexts } from "./page-texts.ts";

const project = {
	...{ name: "Oak", region: "MISO", queue_id: "J1", type_std: "Solar", capacity_mw: 100, county: "Polk", state: "IA" },
	...{ status_std: "Active", cod: "2027-06-01", p_cod_36: 0.4, plant_state: "none" },
};
const leadOf = (changed: object) => subjectTexts.getProject?.(JSON.stringify({ ...project, ...changed })).lead;

test.each([
	[{}, "Its filed facts, its history, and how likely it is to be built."],
	[{ p_cod_36: null }, "Its filed facts and its history."],
	[{ p_cod_36: null, status_std: "Withdrawn" }, "Its filed facts, its history, and what became of it."],
	[{ p_cod_36: null, status_std: "Operational" }, "Its filed facts, its history, and what became of it."],
	[{ p_cod_36: null, plant_state: "energized" }, "Its filed facts, its history, and what became of it."],
])("the lead of a request with %j promises what its page shows", (changed, contents) => {
	const status = { ...project, ...changed }.status_std;
	expect(leadOf(changed)).toBe(
		`100 MW, Solar, Polk, IA, status ${status}, projected operation 2027-06-01. ${contents}`,
	);
});
