import { expect, it } from "vitest";
import { additionTo } from "./addition.ts";

const part = (type_std: string, capacity_mw: number | null) => ({ type_std, capacity_mw });
const wind = part("Wind", 265.44);
const battery = part("Storage", 238.989);

it("CAISO-493, wind since 2012 and reopened, adds its battery in this list and in later ones", () => {
	expect(additionTo([wind], [wind, battery], null)).toEqual({ type: "Storage", mw: 238.989 });
	expect(additionTo([wind, battery], [wind, battery], "Storage")).toEqual({ type: "Storage", mw: 238.989 });
	const smaller = additionTo([wind, battery], [wind, part("Storage", 200), part("Solar", 50)], "Storage");
	expect(smaller).toEqual({ type: "Solar + Storage", mw: 250 });
});

it("CAISO-606, reopened without new parts, has an unknown addition", () => {
	const gas = part("Gas", 20);
	expect(additionTo([gas], [gas], null)).toEqual({ type: null, mw: null });
});

it("the MW of an addition are unknown if a part states none", () =>
	expect(additionTo([wind], [wind, part("Storage", null)], null)).toEqual({ type: "Storage", mw: null }));
