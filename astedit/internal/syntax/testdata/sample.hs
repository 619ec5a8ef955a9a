{-# LANGUAGE OverloadedStrings #-}
module Shop.Order (Order(..), total, main) where

import qualified Data.Map as M
import Data.List (sortBy, foldl')

-- | An order.
data Order a = Order
  { name  :: String
  , items :: [a]
  } deriving (Show, Eq)

newtype Price = Price Int deriving Show
type Names = [String]

class Priced a where
  price :: a -> Int
  price _ = 0

instance Priced Price where
  price (Price n) = n

total :: Priced a => Order a -> Int
total (Order _ xs) = sum (map price xs)

classify :: Int -> String
classify n
  | n < 0 = "negative"
  | n == 0 = "zero"
  | otherwise = let m = n * 2 in show m ++ "\n"

main :: IO ()
main = do
  let order = Order { name = "a", items = [Price 1, Price 2] }
      pairs = [(x, y) | x <- [1 .. 3], y <- "ab", odd x]
  line <- getLine
  mapM_ print $ filter (> 1) [1, 2, 3]
  case line of
    "" -> putStrLn "empty"
    (c:_) | c == 'x' -> return ()
    _ -> if length line > 3 then putStrLn line else print (M.lookup line M.empty)
  print (foldl' (\acc p -> acc + price p) 0 (items order))
  where
    helper x = x `div` 2
