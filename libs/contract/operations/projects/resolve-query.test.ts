import { describe, expect, it } from "vitest";
import { parseResolveQuery } from "./resolve-query.ts";

describe("a text that is resolved", () => {
	it("is a point of interconnection, another publisher's number, a cluster, or a number or name", () => {
		expect(parseResolveQuery("31.97, -102.08")).toEqual({ kind: "point", lat: 31.97, lon: -102.08 });
		expect(parseResolveQuery("lbnl:Southeast/123/A")).toEqual({ kind: "lbnl", entity: "Southeast", number: "123/A" });
		expect(parseResolveQuery("LBNL: J1234")).toEqual({ kind: "lbnl", entity: null, number: "J1234" });
		expect(parseResolveQuery("eia:66075")).toEqual({ kind: "eia", plant: 66075, generator: null });
		expect(parseResolveQuery("eia:66075/GEN 1")).toEqual({ kind: "eia", plant: 66075, generator: "GEN 1" });
		expect(parseResolveQuery("gem:L100000123")).toEqual({ kind: "gem", id: "L100000123" });
		expect(parseResolveQuery("cluster:TC1")).toEqual({ kind: "cluster", cluster: "TC1" });
		expect(parseResolveQuery("Alder Solar, Kern County, CA")).toMatchObject({ kind: "text" });
		expect(parseResolveQuery("12, 34, 56")).toMatchObject({ kind: "text" });
	});

	it("is refused if it names a kind and does not match it", () => {
		for (const q of ["91,0", "0,181", "eia:", "eia:Alder", "eia:1/", "lbnl: "])
			expect(parseResolveQuery(q), q).toBeTypeOf("string");
	});
});
