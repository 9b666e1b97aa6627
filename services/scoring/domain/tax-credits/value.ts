/** Estimates the value of a credit in today's money (signals sheet 6.7). The figures are published averages, not law. */
import type { ClaimedCredit } from "./bonuses.ts";
import type { Technology } from "./types.ts";

interface Figure {
	readonly value: number;
	readonly source: string;
}
type Figures = Partial<Record<Technology, Figure>>;

const built2022 = "EIA-860, plants built in 2022";
const sargentLundy = "Sargent & Lundy for EIA, January 2024";
const fleet2021 = "EIA Electric Power Monthly, table 6.07.B, fleet of 2021";

/** Overnight cost, USD per kW AC. All of it is eligible for the investment credit. */
export const capexPerKw: Figures = {
	Solar: { value: 1588, source: built2022 },
	Wind: { value: 1451, source: built2022 },
	"Offshore Wind": { value: 3689, source: sargentLundy },
	Geothermal: { value: 3963, source: sargentLundy },
	Nuclear: { value: 8936, source: `${sargentLundy}, small modular reactor` },
};

/** Overnight cost of batteries, USD per kWh: the cost of a four-hour battery ($1,744 per kW) divided by four. Shorter ones cost more per kWh. */
const storagePerKwh: Figure = { value: 436, source: `$1,744 a kW of four hours, ${sargentLundy}` };

/** Average output as a share of the capacity. */
export const capacityFactors: Figures = {
	Wind: { value: 0.38, source: "new onshore wind" },
	Solar: { value: 0.244, source: fleet2021 },
	Hydro: { value: 0.36, source: fleet2021 },
	Geothermal: { value: 0.698, source: fleet2021 },
	Nuclear: { value: 0.928, source: fleet2021 },
};

/** The production credit is paid for ten years after the plant is placed in service (26 USC 45(a)(2), 45Y(b)(1)(B)). */
const productionYears = 10;
const discountRate = 0.08;
const hoursPerYear = 8760;
const annuity = (1 - (1 + discountRate) ** -productionYears) / discountRate;
const numbers = new Intl.NumberFormat("en-US");

/** `rate`: the effective rate. `cents`: production credit per kWh. @returns whole USD, or why there is no value */
export function estimateValue(
	{ input, plant, type, capacity }: Pick<ClaimedCredit, "input" | "plant" | "type" | "capacity">,
	rate: number,
	cents: number | null,
): { usd: number | null; assumption: string } {
	if (input.noValueWarning !== null) return { usd: null, assumption: "No value is estimated: a warning states why." };
	const { technology } = plant.rule;
	const figure = type === "PTC" ? capacityFactors[technology] : costOf(technology, input);
	if (figure === undefined) {
		const missing = type === "PTC" ? "capacity factor" : "cost";
		return { usd: null, assumption: `No value is estimated: no ${missing} of the technology is known.` };
	}
	if (capacity === null) return { usd: null, assumption: "No value is estimated: the capacity is not known." };
	const { value, source } = figure;
	const kilowatts = capacity * 1000;
	const megawatts = `${numbers.format(capacity)} MW`;
	if (type === "PTC")
		return {
			usd: Math.round(kilowatts * hoursPerYear * value * ((cents ?? 0) / 100) * annuity),
			assumption: `Valued at ${megawatts} and a capacity factor of ${Math.round(value * 1000) / 10} % (${source}) over ${productionYears} years, discounted at ${discountRate * 100} %, at the latest rate.`,
		};
	return {
		usd: Math.round(kilowatts * value * rate),
		assumption: `Valued at ${megawatts} and $${numbers.format(value)} a kW (${source}), of which all is eligible.`,
	};
}

/** USD per kW. */
function costOf(technology: Technology, { state, codYear }: ClaimedCredit["input"]): Figure | undefined {
	if (technology !== "Storage") return capexPerKw[technology];
	const { hours, source } = findStorageHours(state, codYear);
	const { value, source: cost } = storagePerKwh;
	return { value: Math.round(hours * value), source: `${hours} hours, ${source}, at $${value} a kWh: ${cost}` };
}

/** Year in service, actual or planned; median of MWh/MW; number of batteries. */
type Median = readonly [year: number, hours: number, batteries: number];

const edition = "EIA-860 of 2024";
/** From the sheets Operable and Proposed: batteries of 5 MW and more, for years in which a state has at least five. */
// biome-ignore format: one row per state
const medians = new Map<string, readonly Median[]>(Object.entries({
	AZ: [[2023, 3, 16], [2024, 4, 11], [2025, 4, 19], [2026, 4, 9], [2027, 4, 7]],
	CA: [[2023, 4, 28], [2024, 4, 46], [2025, 4, 48], [2026, 4, 33], [2027, 4, 12], [2028, 4, 8]],
	CO: [[2024, 4, 9]],
	GA: [[2026, 4, 5]],
	HI: [[2026, 3, 6]],
	ID: [[2025, 4, 5]],
	MA: [[2025, 2.2, 6]],
	NC: [[2024, 2, 12]],
	NM: [[2025, 4, 6]],
	NV: [[2025, 4, 6]],
	NY: [[2025, 4.3, 7], [2027, 4, 5], [2028, 4, 5]],
	TX: [[2023, 1, 29], [2024, 1, 49], [2025, 2, 59], [2026, 2, 55], [2027, 2, 52], [2028, 2, 19]],
}));
// biome-ignore format: one row
const national: readonly Median[] = [[2023, 2, 100], [2024, 2.1, 153], [2025, 2.5, 182], [2026, 4, 139], [2027, 4, 103], [2028, 4, 58]];

/**
 * Returns for how many hours a state's batteries run at full power, because requests contain MW, but not MWh. Uses the newest year up to the
 * year of service, otherwise the first year, and all batteries of the country if the table has none of the state.
 */
export function findStorageHours(state: string | null, year: number): { hours: number; source: string } {
	const stateMedians = medians.get(state ?? "");
	const rows = stateMedians ?? national;
	const row = rows.findLast(([of]) => of <= year) ?? rows[0];
	if (row === undefined)
		throw new RangeError(`the table of battery hours has no row for ${state ?? "the United States"}`);
	const [medianYear, hours, batteries] = row;
	const where = stateMedians === undefined ? "the United States" : state;
	return { hours, source: `the median of ${batteries} batteries of ${medianYear} in ${where} (${edition})` };
}
