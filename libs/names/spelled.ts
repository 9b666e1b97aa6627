/** Letters and digits alone: case, white space and punctuation make a name no other. */
export const spelled = (name: string | null): string => (name ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
