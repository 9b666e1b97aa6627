/** Parses a query of `/resolve`: a point, another publisher's number, or a number or name. */

export type ResolveQuery =
	| { kind: "point"; lat: number; lon: number }
	/** `entity` is LBNL's name of the operator, if the query contains it. */
	| { kind: "lbnl"; entity: string | null; number: string }
	| { kind: "eia"; plant: number; generator: string | null }
	| { kind: "gem"; id: string }
	| { kind: "cluster"; cluster: string }
	| { kind: "text"; text: string };

const decimal = "[+-]?\\d{1,3}(?:\\.\\d{1,15})?";
const point = new RegExp(`^(${decimal})\\s*,\\s*(${decimal})$`);
const scheme = /^(lbnl|eia|gem|cluster):\s*(.*)$/is;
/** Plant number of form EIA-860, optionally followed by a slash and a generator. */
const plantAndGenerator = /^(\d{1,8})(?:\s*\/\s*(\S.{0,19}))?$/;

/** Returns the parsed query, or an error message. */
export function parseResolveQuery(q: string): ResolveQuery | string {
	const [, lat, lon] = point.exec(q) ?? [];
	if (lat !== undefined && lon !== undefined) return pointOf(Number(lat), Number(lon));
	const [, name = "", rest = ""] = scheme.exec(q) ?? [];
	const value = rest.trim();
	if (name !== "" && value === "") return `must have a value after ${name}:`;
	switch (name.toLowerCase()) {
		case "lbnl": {
			const [, entity, number] = /^([^/]{1,60})\/(.+)$/s.exec(value) ?? [];
			return { kind: "lbnl", entity: entity?.trim() ?? null, number: (number ?? value).trim() };
		}
		case "eia": {
			const [, plant, generator] = plantAndGenerator.exec(value) ?? [];
			if (plant === undefined) return "must have a plant's number after eia:, or plant/generator";
			return { kind: "eia", plant: Number(plant), generator: generator ?? null };
		}
		case "gem":
			return { kind: "gem", id: value };
		case "cluster":
			return { kind: "cluster", cluster: value };
		default:
			return { kind: "text", text: q };
	}
}

function pointOf(lat: number, lon: number): ResolveQuery | string {
	if (Math.abs(lat) > 90) return "must have a latitude between -90 and 90 first";
	if (Math.abs(lon) > 180) return "must have a longitude between -180 and 180 after the latitude";
	return { kind: "point", lat, lon };
}
