/** Shared by the lists of signals. */
import { z } from "zod";

export const binary = () => z.union([z.literal(0), z.literal(1)]);
