import { z } from "zod";
import { operation } from "../operation.ts";

const none = z.strictObject({});

export const getOpenapi = operation({
	owner: "gateway",
	summary: "This interface as an OpenAPI 3.1 document.",
	params: none,
	reply: z.looseObject({ openapi: z.literal("3.1.0") }),
	http: { method: "GET", path: "/openapi.json", price: "free" },
});

export const getDocs = operation({
	owner: "gateway",
	summary: "Interactive documentation, usable without an internet connection.",
	params: none,
	reply: z.string(),
	http: { method: "GET", path: "/docs", price: "free" },
	mediaType: "text/html; charset=utf-8",
});
