/** Derives technologies from ISO-NE's fuel codes, and two that have no code: pumped storage and offshore wind. Pure. */
import { type StandardTechnology, standardTechnology } from "../../../sources/technology.ts";

interface TechnologyFacts {
	/** Elective upgrades and transmission service have no fuel. */
	transmission: boolean;
	/** Space-joined EIA codes: "SUN BAT". */
	fuel: string | null;
	/** Prime mover: "WT", "PS". */
	unit: string | null;
	county: string | null;
	state: string | null;
	poi: string | null;
	/** The largest of net, summer and winter capacity. */
	megawatts: number;
}

/** WO is EIA's waste oil here (wood is WDS); at NYISO "Wo" is wood. */
const fuelTokens = { wo: "Oil" };

/** The prime movers that name a technology by themselves; turbines and OT (other) do not. */
const technologyByUnit = new Map(
	Object.entries({
		PV: "Solar",
		WT: "Wind",
		HD: "Hydro",
		HW: "Hydro",
		PS: "Pumped Storage",
		FC: "Fuel Cell",
	}),
);

/** Counties where the submarine cables of offshore wind farms land. */
const landfallCounties = new Set([
	"barnstable, ma",
	"bristol, ma",
	"dukes, ma",
	"nantucket, ma",
	"newport, ri",
	"washington, ri",
	"new london, ct",
]);
const landfallPoints = /brayton point|millstone|west barnstable|davisville/i;
/** Wind requests of at least this size in those counties, or at those points, are offshore: no wind farm on land there is that large (MW). */
const offshoreMegawatts = 200;

/** Returns the standard technology of a request. The prime mover decides if the fuel is missing, or is the water of pumped storage. */
export function isoneTechnology(facts: TechnologyFacts, mapped: Record<string, string> = {}): StandardTechnology {
	if (facts.transmission) return { typeStd: "Transmission", unknown: [] };
	const unitTechnology = facts.unit === null ? undefined : technologyByUnit.get(facts.unit.toUpperCase());
	if (facts.fuel === null) return { typeStd: unitTechnology ?? "Unknown", unknown: [] };
	const { typeStd, unknown } = standardTechnology(facts.fuel.split(" ").join("; "), { ...mapped, ...fuelTokens });
	if (typeStd === "Hydro" && unitTechnology === "Pumped Storage") return { typeStd: unitTechnology, unknown };
	return { typeStd: isOffshore(facts, typeStd) ? typeStd.replace(/^Wind/, "Offshore Wind") : typeStd, unknown };
}

function isOffshore({ county, state, poi, megawatts }: TechnologyFacts, typeStd: string): boolean {
	if (!typeStd.startsWith("Wind") || megawatts < offshoreMegawatts) return false;
	return landfallCounties.has(`${county}, ${state}`.toLowerCase()) || landfallPoints.test(poi ?? "");
}
