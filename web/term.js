// Marks a text that is translated where it is shown (texts.js).
export const term = (text) => text;
