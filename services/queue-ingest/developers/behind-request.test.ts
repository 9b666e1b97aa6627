import { expect, it } from "vitest";
import {
	type FoundCompany,
	findCompaniesBySeries,
	findCompanyByFiledName,
	findCompanyByPlant,
	type LinkedPlant,
	type PlantCompany,
} from "./behind-request.ts";
import type { Company, CompanyBook } from "./company-book.ts";

const known: Record<string, Company> = {
	"Larkspur Power": { developerId: 1, method: "name", confidence: 1, evidence: "its name" },
	"Quailwood Renewables": { developerId: 2, method: "name", confidence: 1, evidence: "its name" },
	"Hornet Solar, LLC": { developerId: 3, method: "notice_address", confidence: 0.88, evidence: "its address" },
	"Heron Lake Solar, LLC": { developerId: 2, method: "care_of", confidence: 0.95, evidence: "care of Quailwood" },
};
const book: CompanyBook = { find: (name) => known[name] };
const isCompany = (name: string) => name.endsWith("Energy");
const company = (name: string, change: Partial<PlantCompany> = {}): PlantCompany => ({
	...{ plantId: 60001, name, role: "entity", asOf: 20_000, share: null },
	...change,
});
const plant = (...companies: PlantCompany[]): LinkedPlant => ({
	...{ plantId: 60001, confidence: 0.9, evidence: "same name", companies },
});
const find = (...companies: PlantCompany[]) => findCompanyByPlant(plant(...companies), book, isCompany);

it("the company that reports a plant to the EIA is behind its request, with the confidence of link and name", () => {
	expect(find(company("Larkspur Power"))).toEqual({
		...{ developerId: 1, method: "eia_entity", confidence: 0.9, company: "Larkspur Power", plantId: 60001 },
		evidence: "plant 60001, reported to the EIA by Larkspur Power: same name",
	});
	expect(find(company("Heron Lake Solar, LLC"))).toMatchObject({
		...{ developerId: 2, confidence: 0.86, evidence: expect.stringContaining("care of Quailwood") },
	});
});

it("the majority owner of an unknown company is behind the request; a trustee or minority owner is not", () => {
	const owner = (name: string, share: number) => company(name, { role: "owner", share });
	expect(find(company("Nobler LLC"), owner("Larkspur Power", 0.8))).toMatchObject({
		developerId: 1,
		method: "eia_owner",
	});
	expect(find(company("Nobler LLC"), owner("Larkspur Power", 0.3))).toBeUndefined();
	known["Wilmington Trust"] = { developerId: 1, method: "name", confidence: 1, evidence: "" };
	expect(find(company("Nobler LLC"), owner("Wilmington Trust", 1))).toBeUndefined();
});

it("an unregistered company can be behind a request; a project company cannot", () => {
	expect(find(company("Sparrow Energy"))).toMatchObject({ developerId: null, company: "Sparrow Energy" });
	expect(find(company("Sparrow Solar I, LLC"))).toBeUndefined();
});

it("a former reporter counts only if no developer reports it now, with lower confidence", () => {
	const before = company("Larkspur Power", { asOf: 18_000 });
	expect(find(company("Quailwood Renewables"), before)).toMatchObject({ developerId: 2, method: "eia_entity" });
	expect(find(company("Nobler LLC"), before)).toMatchObject({
		developerId: 1,
		method: "eia_former_entity",
		confidence: 0.72,
	});
});

it("a filed project company leads to its sponsor even without a plant", () => {
	expect(findCompanyByFiledName("Heron Lake Solar, LLC", book)).toMatchObject({
		developerId: 2,
		method: "filed_company",
		plantId: null,
	});
	expect(findCompanyByFiledName("Nobler LLC", book)).toBeUndefined();
	// Hornet Solar of ERCOT is Vesper's; a company of that name in North Carolina gets its mail at Capital Power's.
	const byPlant = findCompanyByPlant({ ...plant(company("Larkspur Power")), confidence: 0.94 }, book, isCompany);
	expect(findCompanyByFiledName("Hornet Solar, LLC", book, byPlant)).toEqual(byPlant);
	const likely = byPlant && { ...byPlant, confidence: 0.85 };
	expect(findCompanyByFiledName("Hornet Solar, LLC", book, likely)).toMatchObject({ developerId: 3 });
	expect(findCompanyByFiledName("Heron Lake Solar, LLC", book, byPlant)).toMatchObject({ developerId: 2 });
});

it("companies of one series have one sponsor, unless two are found", () => {
	const one = (developerId: number): FoundCompany => ({
		...{ developerId, method: "eia_entity", confidence: 0.9, company: "x", evidence: "e", plantId: 1 },
	});
	const requests = ["A", "B", "C"].map((id) => ({ id, family: "ip lumina bess" }));
	const shared = findCompaniesBySeries(requests, new Map([["A", one(1)]]));
	expect([...shared.keys()]).toEqual(["B", "C"]);
	expect(shared.get("B")).toMatchObject({ developerId: 1, method: "same_company", confidence: 0.81, plantId: null });
	expect(
		findCompaniesBySeries(
			requests,
			new Map([
				["A", one(1)],
				["B", one(2)],
			]),
		).size,
	).toBe(0);
	expect(
		findCompaniesBySeries(
			[
				{ id: "A", family: null },
				{ id: "B", family: null },
			],
			new Map([["A", one(1)]]),
		).size,
	).toBe(0);
});
