module Main exposing (main, Msg(..))

{-| A counter. -}

import Browser
import Html exposing (Html, button, div, text)
import Html.Events as E exposing (onClick)


type alias Model =
    { count : Int, name : String }


type Msg
    = Increment
    | Set Int
    | Rename String


init : Model
init =
    { count = 0, name = "none" }


update : Msg -> Model -> Model
update msg model =
    case msg of
        Increment ->
            { model | count = model.count + 1 }

        Set n ->
            { model | count = n }

        Rename s ->
            if s == "" then
                model
            else
                { model | name = String.toUpper s }


-- a view
view : Model -> Html Msg
view model =
    let
        label =
            String.fromInt model.count ++ "\n times"

        double x =
            x * 2
    in
    div [ onClick Increment ]
        [ button [ E.onClick (Set 5) ] [ text label ]
        , text (List.map (\x -> x + 1) [ 1, 2, 3 ] |> List.sum |> String.fromInt)
        , text """multi
line"""
        ]


main =
    Browser.sandbox { init = init, update = update, view = view }
