import { describe, expect, it } from "vitest";
import { standardTechnology } from "./technology.ts";

const std = (filed: string | null, tokens?: Record<string, string>) => standardTechnology(filed, tokens).typeStd;

describe("standardTechnology", () => {
	it.each([
		["Solar", "Solar"],
		["Photovoltaic/Solar", "Solar"],
		["Storage/Battery", "Storage"],
		["Solar; Storage", "Solar + Storage"],
		["Storage; Solar", "Solar + Storage"],
		["Solar,Storage,Hybrid", "Solar + Storage"],
		["Wind and Storage", "Wind + Storage"],
		["Solar + Wind", "Wind + Solar"],
		["Storage & Solar & Wind", "Wind + Solar + Storage"],
		["Battery Storage; Natural Gas", "Gas + Storage"],
		["Pumped-Storage hydro", "Pumped Storage"],
		["Combustion Turbine (CT)", "Gas"],
	])("%s is %s", (filed, expected) => expect(std(filed)).toBe(expected));

	it("reads gas with oil as dual fuel", () => expect(std("Natural Gas; Oil")).toBe("Gas"));

	it("reads codes joined by a space, and two-word names as one", () => {
		expect(std("SUN BAT")).toBe("Solar + Storage");
		expect(std("KER NG")).toBe("Gas");
		expect(std("Fuel Cell")).toBe("Fuel Cell");
	});

	it("ignores hybrid and other next to a known part", () => {
		expect(std("Hybrid")).toBe("Other");
		expect(std("Natural Gas; Other")).toBe("Gas");
	});

	it("prefers the operator's own values, which may be hybrids", () => {
		expect(std("HYD")).toBe("Hydro");
		expect(std("HYD", { hyd: "Hydrogen" })).toBe("Hydrogen");
		expect(std("CR", { cr: "Solar + Storage" })).toBe("Solar + Storage");
	});

	it("has no built-in one-letter codes", () => {
		expect(standardTechnology("S")).toEqual({ typeStd: "Other", unknown: ["S"] });
	});

	it("does not split a type of connection that contains the separator", () =>
		expect(std("DC/AC")).toBe("Transmission"));

	it("reports unknown values", () => {
		expect(standardTechnology("Solar; Antimatter")).toEqual({ typeStd: "Solar", unknown: ["Antimatter"] });
		expect(standardTechnology("constructor").unknown).toEqual(["constructor"]);
	});

	it.each([null, "", "N/A", "TBD", "Not Specified"])("returns Unknown for %j", (filed) =>
		expect(std(filed)).toBe("Unknown"),
	);
});
