/** Maps technologies as the EIA and the queues name them to families that can be compared. Pure. */

/** By words of EIA's technology descriptions and of the standard technologies; the first that fits. */
const familyWords = [
	[/pumped/i, "pumped storage"],
	[/solar/i, "solar"],
	[/offshore wind/i, "offshore wind"],
	[/wind/i, "wind"],
	[/landfill|biomass|wood|waste/i, "biomass"],
	[/natural gas|petroleum|\bgas\b|\boil\b/i, "gas or oil"],
	[/coal/i, "coal"],
	[/nuclear/i, "nuclear"],
	[/hydro(?!gen)/i, "hydro"],
	[/geothermal/i, "geothermal"],
	[/batter|flywheel|storage/i, "storage"],
] as const;

export type Family = (typeof familyWords)[number][1];

export function familiesOf(technology: string | null): Family[] {
	// A list by energy source does not state whether turbines are offshore.
	if (technology === "Wind Turbine") return ["wind", "offshore wind"];
	const parts = (technology ?? "").split(" + ");
	return parts.flatMap((part) => familyWords.find(([words]) => words.test(part))?.[1] ?? []);
}
