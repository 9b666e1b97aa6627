import { expect, test } from "vitest";
import { picture } from "./picture.ts";

test("a picture has two bars per group, for predicted and observed shares", () => {
	const drawn = picture([{ n: 400, predicted: 0.25, observed: 0.5 }]);
	expect(drawn).toContain('height="52" fill="#9ec1f7"><title>400 requests: 25 % stated</title>');
	expect(drawn).toContain('height="104" fill="#1f6feb"><title>400 requests: 50 % came to operate</title>');
});
