import { describe, expect, it } from "vitest";
import { isoneTechnology } from "./technology.ts";

describe("isoneTechnology", () => {
	const facts = { transmission: false, fuel: null, unit: null, county: null, state: null, poi: null, megawatts: 0 };

	it.each([
		["wind at sea by county", { fuel: "WND", county: "Newport", state: "RI", megawatts: 200 }, "Offshore Wind"],
		[
			"wind at sea by substation",
			{ fuel: "WND BAT", poi: "Millstone 345 kV", megawatts: 800 },
			"Offshore Wind + Storage",
		],
		["small wind by the sea", { fuel: "WND", county: "Newport", state: "RI", megawatts: 199 }, "Wind"],
		["large wind in another Washington", { fuel: "WND", county: "Washington", state: "ME", megawatts: 400 }, "Wind"],
		["pumped storage", { fuel: "WAT", unit: "PS" }, "Pumped Storage"],
		["a prime mover without fuel", { unit: "PV" }, "Solar"],
		["nothing", {}, "Unknown"],
		["waste oil", { fuel: "NG WO" }, "Gas"],
	])("%s", (_, given, typeStd) => {
		expect(isoneTechnology({ ...facts, ...given }).typeStd).toBe(typeStd);
	});
});
