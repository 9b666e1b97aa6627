import { expect, test } from "vitest";
import { readView, toggleValue, writeView } from "./view.ts";

test("an address without a query is the default view", () => {
	const view = readView("");
	expect(view).toMatchObject({ filters: {}, colour: "technology", list: "requests", sort: "capacity_mw" });
	expect(writeView(view)).toBe("");
});

test("every part of a view is read back from its address", () => {
	const address =
		"?q=Oak&region=PJM,MISO&min_score=60&as_of=2025-01-31&colour=score&list=points&sort=name&order=asc&in_view=true&points=true&map=6.50/31.2500/-97.1000";
	expect(writeView(readView(address))).toBe(address);
	expect(readView(address).camera).toEqual({ zoom: 6.5, lat: 31.25, lon: -97.1 });
});

test.each(["?colour=blue", "?map=6/200/4", "?map=6//4", "?map=x", "?as_of=soon", "?sort=%3Cb%3E", "?q=%20"])(
	"%s is ignored",
	(address) => expect(writeView(readView(address))).toBe(""),
);

test("a value is added to several, and removed again", () => {
	expect(toggleValue("PJM", "MISO")).toBe("PJM,MISO");
	expect(toggleValue("PJM,MISO", "PJM")).toBe("MISO");
	expect(toggleValue("PJM", "PJM")).toBeUndefined();
});
