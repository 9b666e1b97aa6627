import { expect, test } from "vitest";
import { picture } from "./picture.ts";

test("a picture has a circle for each group, where its chance and its share are, and its numbers in words", () => {
	const drawn = picture("SPP", [
		{ n: 400, predicted: 0, observed: 0.5 },
		{ n: 100, predicted: 1, observed: 1 },
	]);
	expect(drawn).toContain('<circle cx="40" cy="160" r="10"><title>400 requests: 0 stated, 0.5 came</title></circle>');
	expect(drawn).toContain('<circle cx="280" cy="40" r="6.5">');
	expect(drawn).toContain("<title>SPP: ");
});
