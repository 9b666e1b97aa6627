import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const style = readFileSync(new URL("base.css", import.meta.url), "utf8");

/** The colours by name, as they are declared for one scheme. */
function coloursOf(scheme: string): Map<string, string> {
	const declared = style.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g);
	return new Map(
		[...declared].map(([, name = "", light = "", dark = ""]) => [name, scheme === "light" ? light : dark]),
	);
}

test.each(["light", "dark"])("text and borders have the contrast of WCAG AA in %s", (scheme) => {
	const colours = coloursOf(scheme);
	for (const ink of ["ink", "soft", "accent", "bad"])
		for (const ground of ["page", "panel"])
			expect(contrast(colours.get(ink), colours.get(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
	expect(contrast(colours.get("on-accent"), colours.get("accent"))).toBeGreaterThanOrEqual(4.5);
	expect(contrast(colours.get("edge"), colours.get("panel"))).toBeGreaterThanOrEqual(3);
});

test("the style sheet loads nothing", () => {
	expect(style).not.toMatch(/url\(|@import/);
});

/** Contrast by WCAG 2.2. */
function contrast(one = "", other = ""): number {
	const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
	const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((at) => {
		const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
