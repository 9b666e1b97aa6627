/** What the lists of signals share. */
import { z } from "zod";
import { integer } from "../params.ts";

/** Parameters of a list of signals. */
export const paging = {
	page: integer(1).default(1).describe("Page, from 1"),
	per_page: integer(1, 200).default(50).describe("Rows a page"),
};
export const binary = () => z.union([z.literal(0), z.literal(1)]);
