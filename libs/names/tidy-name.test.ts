import { expect, it } from "vitest";
import { tidyName } from "./tidy-name.ts";

it.each([
	[" Foo \t Energy\u0007 LLC ", "Foo Energy LLC"],
	["Foo Inc , a subsidiary of Bar Inc", "Foo Inc"],
	["Foo LLC, an indirect wholly-owned subsidiary of Bar Inc", "Foo LLC"],
	["Foo Energy LLC, an affiliate of Bar, a division of Baz", "Foo Energy LLC"],
	["Foo Energy LLC,Foo Energy, LLC", "Foo Energy LLC"],
	["FOO ENERGY / Foo Energy", "FOO ENERGY"],
	["Foo Solar, LLC_3", "Foo Solar, LLC"],
])("%j is read as %j", (raw, tidy) => {
	expect(tidyName(raw)).toBe(tidy);
});

it.each(["Foo Energy, LLC", "Foo, Bar and Foo", "A subsidiary of Foo", "Foo Solar_300", "_3_", ","])(
	"%s remains unchanged",
	(name) => {
		expect(tidyName(name)).toBe(name);
	},
);
