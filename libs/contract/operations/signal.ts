/** What the lists of signals share. */
import { z } from "zod";

export const binary = () => z.union([z.literal(0), z.literal(1)]);
