import { expect, test } from "vitest";
import { codeOfStatus, errorCodes, isErrorCode } from "./error-codes.ts";
import { AppError, keyInvalid } from "./errors.ts";

test("an error has the code of its status unless it states another", () => {
	expect(new AppError(400, "x").code).toBe("bad_request");
	expect(keyInvalid("x")).toMatchObject({ status: 403, code: "key_invalid" });
	expect(JSON.parse(JSON.stringify(new AppError(429, "x", { code: "quota_used_up" })))).toEqual({
		detail: "x",
		code: "quota_used_up",
	});
});

test("a status without a code has the code of its class", () =>
	expect([codeOfStatus(499), codeOfStatus(504)]).toEqual(["bad_request", "internal_error"]));

test("every code belongs to exactly one status, and no other code exists", () => {
	for (const { status } of Object.values(errorCodes)) expect(errorCodes[codeOfStatus(status)].status).toBe(status);
	expect([isErrorCode("not_found"), isErrorCode("toString"), isErrorCode(404)]).toEqual([true, false, false]);
});
