/**
 * What a credit is valued with (signals sheet 6.7): no law, but published averages. Overnight USD a kW AC, and the share of the
 * year at full output.
 */
import type { Technology } from "../types.ts";

export interface Figure {
	readonly value: number;
	readonly source: string;
}

const built2022 = "EIA-860, plants built in 2022";
/** As the signals sheet quotes it; not read again. */
const sargentLundy = "Sargent & Lundy for EIA, January 2024";
const fleet2021 = "EIA Electric Power Monthly, table 6.07.B, fleet of 2021";

export const capexPerKw: Partial<Record<Technology, Figure>> = {
	Solar: { value: 1588, source: built2022 },
	Wind: { value: 1451, source: built2022 },
	Storage: { value: 1744, source: `${sargentLundy}, four hours` },
	"Offshore Wind": { value: 3689, source: sargentLundy },
	Geothermal: { value: 3963, source: sargentLundy },
	Nuclear: { value: 8936, source: `${sargentLundy}, small modular reactor` },
};

export const capacityFactors: Partial<Record<Technology, Figure>> = {
	Wind: { value: 0.38, source: "new onshore wind" },
	Solar: { value: 0.244, source: fleet2021 },
	Hydro: { value: 0.36, source: fleet2021 },
	Geothermal: { value: 0.698, source: fleet2021 },
	Nuclear: { value: 0.928, source: fleet2021 },
};

/** The production credit is paid for ten years after the plant is placed in service (26 USC 45(a)(2), 45Y(b)(1)(B)). */
export const productionYears = 10;
export const discountRate = 0.08;
export const hoursAYear = 8760;
/** Share of the cost on which the investment credit is computed. */
export const eligibleShare = 1;
